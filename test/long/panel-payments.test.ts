// Payments in the panel: save a card on the page of the payment provider, pay an invoice with it, top up, remove it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Route } from 'playwright-core';
import type { AccountId } from '#store/account-id.ts';
import { openTestApp, type TestApp } from '#test/support/app.ts';
import { needsChromium } from '#test/support/chromium.ts';
import { openPanelOn, type Panel, type Visit } from '#test/support/panel.ts';
import { issueUntaxed, noticeUrl, takePayments, workOffPayments } from '#test/support/payment-fixtures.ts';
import { startStripeServer, type StripeServer } from '#test/support/stripe-server.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

describe('payments in the panel', needsChromium(), () => {
  const owned = suiteResources();
  let panel: Panel<TestApp>;
  let visit: Visit;
  let stripe: StripeServer;
  before(async () => {
    panel = owned.use(await openPanelOn(() => openTestApp()));
    stripe = owned.use(await startStripeServer());
    await takePayments(panel.server, stripe);
    visit = owned.use(await panel.visit());
    await visit.holdKey('customer', panel.server.lab.customer.key);
    await visit.page.route('https://checkout.stripe.com/**', (route) => route.fulfill({ body: 'Stripe' }));
  });
  const account = () => Number(panel.server.lab.customer.account) as AccountId;
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true });
  const dialogue = () => visit.page.getByRole('dialog');
  const text = (words: string | RegExp) => visit.page.getByText(words).first().waitFor();
  const work = () => workOffPayments(panel.server.parts);
  const picture = async (name: string) => {
    const folder = process.env['HOSTYARD_TEST_PICTURES'];
    if (folder !== undefined) await visit.page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('save a card, which becomes the default', async () => {
    await visit.go('/payments');
    await text('No payment methods yet');
    await picture('payments-empty');
    await button('Add card').click();
    await visit.page.waitForURL('https://checkout.stripe.com/**');
    stripe.completeCheckout(visit.page.url());
    await stripe.deliver(noticeUrl(panel.server));
    await work();
    await visit.go('/payments');
    await text('Visa •••• 4242, 8/2030');
    await text('Default');
  });

  it('pay an invoice with it, and top up on the page of the provider', async () => {
    const { id } = await issueUntaxed(panel.server.parts, account(), 4200);
    await visit.go(`/invoices#${id}`);
    await button('Pay now').click();
    await picture('payments-pay');
    await dialogue().getByRole('button', { name: 'Pay', exact: true }).click();
    await text('Payment started');
    await work();
    await visit.go('/payments');
    await text('Paid');
    await button('Top up credit').click();
    await dialogue().getByLabel('Amount in EUR').fill('5');
    await dialogue().getByRole('button', { name: 'Pay', exact: true }).click();
    await text(/from 10.00 to 5000.00/);
    await dialogue().getByLabel('Amount in EUR').fill('30,00');
    await dialogue().getByLabel('Payment method').click();
    await visit.page.getByRole('option', { name: /payment page/ }).click();
    await picture('payments-top-up');
    const pay = dialogue().getByRole('button', { name: 'Pay', exact: true });
    const opened = Promise.withResolvers<string>();
    const keepPage = (route: Route) => {
      opened.resolve(route.request().url());
      return route.fulfill({ status: 204 });
    };
    await visit.page.route('https://checkout.stripe.com/**', keepPage, { times: 1 });
    await pay.click();
    stripe.completeCheckout(await opened.promise);
    assert.equal(await pay.getAttribute('data-loading'), 'true', 'nothing is paid twice while the page opens');
    await stripe.deliver(noticeUrl(panel.server));
    await work();
    await visit.go('/payments');
    await visit.page.getByRole('cell', { name: 'Top-up' }).waitFor();
    await picture('payments');
    assert.deepEqual(await visit.accessibilityProblems(), []);
    assert.equal(stripe.objects.balance(), 7200);
  });

  it('list all charges, also those of long ago', async () => {
    const { queries } = panel.server.parts.store;
    const charge = await queries.selectFrom('payment_charges').selectAll().executeTakeFirstOrThrow();
    const { id: _, ...copied } = charge;
    for (let copy = 0; copy < 120; copy++) {
      const values = { ...copied, key: `copy ${copy}`, external_id: '', invoice_id: null, amount_cents: 77_700 + copy };
      await queries.insertInto('payment_charges').values(values).execute();
    }
    await visit.go('/payments');
    await text('€778.19');
    await until(async () => {
      await visit.page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return (await visit.page.getByText('€777.00').count()) > 0;
    });
  });

  it('remove it', async () => {
    await button('Remove Visa •••• 4242, 8/2030').click();
    await dialogue().getByRole('button', { name: 'Remove', exact: true }).click();
    await text('No payment methods yet');
  });
});
