// A customer of the lab who pays through the fake of Stripe.
import assert from 'node:assert/strict';
import type { Static } from 'typebox';
import { receivePayment } from '#app/billing/payments.ts';
import type { ChargeItem, PaymentMethodItem, SavingPage, StartedPayment } from '#contract/shapes/payment.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceFind, invoicesOpen } from '#store/billing/invoices.ts';
import { ledgerSum } from '#store/billing/ledger.ts';
import type { TestApp } from './app.ts';
import { issueUntaxed, noticeUrl, workOffPayments } from './payment-fixtures.ts';
import { request, requestResult, type Envelope, type ErrorResult } from './request.ts';
import type { StripeServer } from './stripe-server.ts';
import type { CardBehaviour } from './stripe-types.ts';

export type Started = Static<typeof StartedPayment>;

export function stripeCustomer(app: () => TestApp, stripe: () => StripeServer) {
  const key = () => app().lab.stranger.key;
  const account = () => Number(app().lab.stranger.account) as AccountId;
  const call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, params: Record<string, unknown> = {}) =>
    requestResult<T>(app(), method, `/v2/payment/${path}`, { key: key(), params });
  const refusal = (method: 'POST' | 'PUT' | 'DELETE', path: string, params: Record<string, unknown>, as = key()) =>
    request<Envelope<ErrorResult>>(app(), method, `/v2/payment/${path}`, { key: as, params });
  const methods = () => call<Static<typeof PaymentMethodItem>[]>('GET', 'method');
  const latestCharge = async () => (await call<Static<typeof ChargeItem>[]>('GET', 'charge'))[0]!;
  const latestIntent = () => [...stripe().objects.intents.keys()].at(-1)!;
  const work = () => workOffPayments(app().parts);
  const issue = async (cents: number) => (await issueUntaxed(app().parts, account(), cents)).id;
  const invoice = async (id: number) => (await invoiceFind(app().parts.store.queries, account(), id))!;
  const ledger = (book: 'receivable' | 'credit' | 'paid:stripe' | 'refunds') =>
    ledgerSum(app().parts.store.queries, account(), book);
  const receiveNotices = async () => {
    await stripe().deliver(noticeUrl(app()));
    return work();
  };
  /** Starts to pay a new invoice with the default card. */
  const payWithCard = async (cents: number) => {
    const [method] = await methods();
    const id = await issue(cents);
    const started = await call<Started>('POST', 'invoice', { invoice: id, method: method!.id });
    return { id, method: method!, started };
  };
  const saveCard = async (card: CardBehaviour): Promise<number> => {
    const { id, url } = await call<Static<typeof SavingPage>>('POST', 'method');
    stripe().completeCheckout(url, card);
    assert.deepEqual(await receiveNotices(), []);
    return Number(id);
  };
  const removeCards = async () => {
    for (const { id } of await methods()) await call('DELETE', 'method', { id });
    await work();
  };
  const transfer = (cents: number) =>
    app().parts.store.transaction((queries) => {
      const paidAt = app().parts.clock.now();
      const payment = { payer: { account: account() }, paidAt, method: 'banktransfer', reference: `${paidAt}` };
      return receivePayment(app().parts, queries, { ...payment, cents });
    });
  /** Pays everything by bank transfer: payments pay the oldest invoice first, and tests begin without open ones. */
  const payOpenInvoices = async () => {
    const open = await invoicesOpen(app().parts.store.queries, account());
    const cents = open.reduce((sum, { open_cents }) => sum + open_cents, 0);
    if (cents > 0) await transfer(cents);
  };
  return {
    account,
    call,
    refusal,
    methods,
    latestCharge,
    latestIntent,
    work,
    issue,
    invoice,
    ledger,
    receiveNotices,
    payWithCard,
    saveCard,
    removeCards,
    transfer,
    payOpenInvoices,
  };
}
