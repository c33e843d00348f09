// What payment providers report late, again, or never: it neither keeps the server busy, nor blocks the customer, nor loses money.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { sendNotices } from '#app/billing/notices.ts';
import { receivePayment } from '#app/billing/payments.ts';
import { applySite } from '#app/site/apply.ts';
import { dayMs } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { TestApp } from '#test/support/app.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { noticeUrl, siteWithPayments, takePayments } from '#test/support/payment-fixtures.ts';
import { stripeCustomer, type Started } from '#test/support/stripe-customer.ts';
import { startStripeServer, type StripeServer } from '#test/support/stripe-server.ts';
import { until } from '#test/support/until.ts';

describeOnEngines('reports of payment providers', { postgres: 'in long runs' }, ({ engine, owned, openApp }) => {
  let app: TestApp;
  let stripe: StripeServer;
  before(async () => {
    app = await openApp({});
    stripe = owned.use(await startStripeServer(() => app.parts.clock.now()));
    await takePayments(app, stripe);
  });
  const customer = stripeCustomer(
    () => app,
    () => stripe,
  );
  const { call, latestCharge, latestIntent, work, issue, invoice, ledger } = customer;
  const { receiveNotices, payWithCard, saveCard, removeCards } = customer;
  beforeEach(customer.payOpenInvoices);
  const pendingLooks = () =>
    app.parts.store.queries.selectFrom('payment_charges').select('id').where('next_look_at', 'is not', null).execute();

  test('a page that is reported as expired twice is not read for ever', async () => {
    const id = await issue(1000);
    const { url } = await call<Started>('POST', 'invoice', { invoice: id });
    stripe.objects.expireCheckout(url.slice(url.lastIndexOf('/') + 1));
    // The reconciler finds out before the notice arrives.
    app.pass(3_700_000);
    await work();
    assert.equal((await latestCharge()).state, 'failed');
    assert.deepEqual(await receiveNotices(), []);
    assert.deepEqual(await pendingLooks(), []);
  });

  test('charges that their owner did not confirm do not keep them from paying', async () => {
    const card = await saveCard('authentication_required');
    for (let count = 0; count < 20; count++) {
      await call<Started>('POST', 'topup', { amount: '10.00', method: card });
      await work();
      assert.equal((await latestCharge()).state, 'needs_action');
    }
    const { url } = await call<Started>('POST', 'invoice', { invoice: await issue(900) });
    assert.match(url, /^https:/);
  });

  test('a refund from the dashboard of Stripe that the bank returns is received again, once', async () => {
    await removeCards();
    await saveCard('good');
    const { id } = await payWithCard(1500);
    await work();
    const refund = stripe.objects.refundByHand(latestIntent(), 500);
    await receiveNotices();
    assert.equal((await invoice(id)).status, 'Unpaid');
    stripe.objects.failRefund(refund);
    await receiveNotices();
    await stripe.deliver(noticeUrl(app), 'all');
    await work();
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal((await latestCharge()).state, 'succeeded');
    assert.equal(await ledger('receivable'), 0);
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('a refund from the dashboard of Stripe whose failure arrives before it takes no money', async () => {
    const { id } = await payWithCard(1700);
    await work();
    const { events } = stripe.objects;
    const reported = events.length;
    stripe.objects.failRefund(stripe.objects.refundByHand(latestIntent(), 500));
    events.push(...events.splice(reported).toReversed());
    await receiveNotices();
    app.pass(10_000);
    assert.deepEqual(await work(), []);
    assert.equal((await invoice(id)).status, 'Paid');
    assert.equal((await latestCharge()).state, 'succeeded');
    assert.equal(await ledger('paid:stripe'), stripe.objects.balance());
  });

  test('an account whose payment is taken back is suspended again', async () => {
    const { queries } = app.parts.store;
    const site = siteWithPayments(app.site, stripe);
    await applySite(app.parts, { ...site, billing: { ...site.billing, suspendAfter: 7 } });
    const statusAfterNotices = async () => {
      await sendNotices(app.parts);
      return (await accountFind(queries, customer.account()))!.status;
    };
    const id = await issue(2500);
    app.pass((await invoice(id)).due_day * dayMs + 8 * dayMs - app.parts.clock.now());
    assert.equal(await statusAfterNotices(), 'Suspended');
    const [method] = await customer.methods();
    await call<Started>('POST', 'invoice', { invoice: id, method: method!.id });
    await work();
    assert.equal(await statusAfterNotices(), 'Active');
    const dispute = stripe.objects.dispute(latestIntent());
    await receiveNotices();
    assert.equal(await statusAfterNotices(), 'Suspended');
    stripe.objects.winDispute(dispute);
    await receiveNotices();
    assert.equal(await statusAfterNotices(), 'Active');
  });

  // SQLite has one writer at a time.
  if (engine === 'postgres')
    test('an invoice that is paid at the same time is not paid again', async () => {
      const { store, clock } = app.parts;
      const id = await issue(3100);
      const [method] = await customer.methods();
      const params = { invoice: id, method: method!.id };
      const payer = { account: customer.account() };
      const transfer = { payer, cents: 3100, paidAt: clock.now(), method: 'banktransfer', reference: 'meanwhile' };
      const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`;
      let status: number | undefined;
      const { paying } = await store.transaction(async (queries) => {
        await billingAccountLock(queries, customer.account());
        const response = customer.refusal('POST', 'invoice', params).then((answer) => (status = answer.status));
        await until(async () => status !== undefined || (await waiting.execute(store.queries)).rows[0]!.count > 0);
        await receivePayment(app.parts, queries, transfer);
        return { paying: response };
      });
      assert.equal(await paying, 409);
    });
});
