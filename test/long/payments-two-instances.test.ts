// Two instances on one PostgreSQL collect the same invoices and process the same notices at once: each invoice is charged
// once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectDueInvoices } from '#app/payments/collection.ts';
import type { SavingPage } from '#contract/shapes/payment.ts';
import { dayMs } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoicesOpen } from '#store/billing/invoices.ts';
import { ledgerSum } from '#store/billing/ledger.ts';
import { openTestApp } from '#test/support/app.ts';
import { needs } from '#test/support/needs.ts';
import { issueUntaxed, noticeUrl, takePayments, workOffPayments } from '#test/support/payment-fixtures.ts';
import { notDurable, startPostgres } from '#test/support/postgres.ts';
import { requestResult } from '#test/support/request.ts';
import { startStripeServer } from '#test/support/stripe-server.ts';
import type { Static } from 'typebox';

test('two instances charge each invoice once', needs('initdb', 'postgres'), async () => {
  await using postgres = await startPostgres(notDurable);
  const database = await postgres.createStoreDatabase();
  await using first = await openTestApp({ database });
  await using second = await openTestApp({ database, firstInstance: first });
  await using stripe = await startStripeServer(() => first.parts.clock.now());
  await takePayments(first, stripe);
  const account = Number(first.lab.stranger.account) as AccountId;
  const { queries } = first.parts.store;
  const both = <T>(work: (app: typeof first) => Promise<T>) => Promise.all([work(first), work(second)]);

  const { key } = first.lab.stranger;
  const { url } = await requestResult<Static<typeof SavingPage>>(first, 'POST', '/v2/payment/method', { key });
  stripe.completeCheckout(url);
  await both((app) => stripe.deliver(noticeUrl(app), 'all'));
  await both((app) => workOffPayments(app.parts));

  for (let cents = 1001; cents <= 1010; cents++) await issueUntaxed(first.parts, account, cents);
  const open = await invoicesOpen(queries, account);
  for (const app of [first, second]) app.pass(20 * dayMs);
  await both((app) => collectDueInvoices(app.parts));
  const charged = await both(async (app) => (await workOffPayments(app.parts)).length);
  assert.deepEqual(charged, [0, 0]);
  await both((app) => stripe.deliver(noticeUrl(app), 'all'));
  await both((app) => workOffPayments(app.parts));

  const requests = stripe.calls.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents');
  assert.equal(requests.length, open.length);
  assert.deepEqual(await invoicesOpen(queries, account), []);
  assert.equal(await ledgerSum(queries, account, 'paid:stripe'), stripe.objects.balance());
});
