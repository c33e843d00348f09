// Creates charges and carries them out. The row is committed before the provider is asked, so that a charge is never
// forgotten: after a crash or a lost response, the reconciler asks the provider what became of it.
import { randomUUID } from 'node:crypto';
import { PaymentUnknownError, type ChargeOutcome } from '#drivers/payment/driver.ts';
import type { PaymentDriver } from '#drivers/payment/driver.ts';
import { conflict } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import { dayOf } from '#lib/time.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoiceFind, invoicesOpen } from '#store/billing/invoices.ts';
import * as store from '#store/payments/charges.ts';
import { methodFind } from '#store/payments/methods.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../app.ts';
import { expiredCode } from './charge-state.ts';
import { requirePaymentDriver } from './drivers.ts';
import { settleCharge } from './settle.ts';

export const paymentReconciler = 'payments';

/** Longer than the provider may take to answer. */
export const claimMs = 45_000;
const delays = { shortestMs: 10_000, longestMs: 3_600_000 };
/** Providers remember a key for a day. After this, a charge that they do not know is not repeated. */
const keyLifeMs = 20 * 3_600_000;
/** How often an open page is looked at, in case its notice is lost. */
export const pageCheckMs = 600_000;
const resultCheckMs = 3_600_000;
/** For a page that was never opened, because the process ended before. */
const abandonedMs = 300_000;
const maxOpenCharges = 20;

export interface NewCharge {
  readonly account: AccountId;
  readonly driver: string;
  /** Undefined if the person pays on a page of the provider. */
  readonly method: number | undefined;
  readonly invoice: number | undefined;
  readonly cents: number;
  /** Counts automatic attempts from 1; 0 if a person started it. */
  readonly attempt: number;
}

/** Needs a transaction that holds the account. A charge of a stored method starts when it is committed. */
export async function createCharge(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  { account, driver, method, invoice, cents, attempt }: NewCharge,
): Promise<store.Charge> {
  if (attempt === 0 && (await store.openChargeCount(queries, account)) >= maxOpenCharges)
    throw conflict('Too many payments have been started and not completed. Try again in an hour.');
  const { currency } = (await accountFind(queries, account))!;
  const now = clock.now();
  const charge = await store.chargeInsert(queries, {
    account_id: account,
    key: randomUUID(),
    driver,
    method_id: method ?? null,
    purpose: invoice === undefined ? 'top-up' : 'invoice',
    invoice_id: invoice ?? null,
    amount_cents: cents,
    currency,
    state: 'created',
    external_id: '',
    checkout_id: '',
    failure_code: '',
    failure_message: '',
    attempt,
    refunded_cents: 0,
    charged_back_cents: 0,
    created_at: now,
    changed_at: now,
    next_look_at: method === undefined ? now + abandonedMs : now,
  });
  if (charge === undefined) throw conflict('A payment of this invoice is already being processed.');
  await reconcilerSignal(queries, paymentReconciler);
  return charge;
}

/**
 * Carries out a charge, or looks up its result. Returns false if another instance is doing it. Throws if the provider
 * does not answer.
 */
export async function performCharge(app: App, charge: store.Charge, signal: AbortSignal): Promise<boolean> {
  const { queries } = app.store;
  const now = app.clock.now();
  if (!(await store.chargeClaim(queries, charge, now + claimMs))) return false;
  try {
    const outcome = await findOutcome(app, charge, signal);
    if (outcome === 'open') await store.chargeChange(queries, charge, { next_look_at: now + pageCheckMs });
    else await settle(app, charge, outcome);
    return true;
  } catch (error) {
    const delay = growingDelay(now - charge.created_at, delays);
    await store.chargeChange(queries, charge, { next_look_at: app.clock.now() + delay });
    throw error;
  }
}

async function settle(app: App, { id }: store.Charge, outcome: ChargeOutcome): Promise<void> {
  await app.store.transaction(async (queries) => {
    const isNew = await settleCharge(app, queries, id, outcome);
    if (isNew && outcome.state !== 'submitted') return;
    const { state } = (await store.chargeLoad(queries, id))!;
    // The notice of the result may be lost.
    if (state === 'submitted')
      await store.chargeChange(queries, { id, state }, { next_look_at: app.clock.now() + resultCheckMs });
    // One that was decided before, such as an expired page that is reported again, keeps the time of the claim otherwise, and
    // would be looked up for ever.
    else if (state !== 'needs_action') await store.chargeChange(queries, { id, state }, { next_look_at: null });
  });
  // A payment may have lifted a suspension.
  app.authentication.forget();
}

async function findOutcome(app: App, charge: store.Charge, signal: AbortSignal): Promise<ChargeOutcome | 'open'> {
  const { queries } = app.store;
  const driver = await requirePaymentDriver(app, queries, charge.driver);
  if (charge.method_id === null) return readPage(driver, charge, signal);
  const method = await methodFind(queries, charge.account_id, charge.method_id);
  if (method === undefined) return methodRemoved;
  const { key, external_id: externalId, external_customer: externalCustomer } = method;
  const created = { key: charge.key, createdAt: charge.created_at, method: { key, externalId, externalCustomer } };
  // Its first claim replaces the time of creation.
  const isFirst = charge.next_look_at === charge.created_at;
  const known = isFirst ? undefined : await driver.findCharge?.(created, signal);
  if (known !== undefined) return known;
  if (charge.state !== 'created') return 'open';
  const isKeyForgotten = !isFirst && app.clock.now() - charge.created_at > keyLifeMs;
  if (isKeyForgotten && driver.findCharge !== undefined)
    return failed('not_processed', 'The payment provider did not process the charge.');
  // Much may have changed since, if the provider did not answer.
  if (method.state !== 'active') return methodRemoved;
  if (await isPaidOtherwise(queries, charge, dayOf(app.clock.now()))) return alreadyPaid;
  const description = await describeCharge(queries, charge);
  return driver.charge({ ...created, cents: charge.amount_cents, currency: charge.currency, description }, signal);
}

async function readPage(
  { readCheckout }: PaymentDriver,
  { checkout_id }: store.Charge,
  signal: AbortSignal,
): Promise<ChargeOutcome | 'open'> {
  if (checkout_id === '' || readCheckout === undefined) return expired;
  const page = await readCheckout(checkout_id, signal);
  switch (page.state) {
    case 'open':
      return 'open';
    case 'paid':
      return page.outcome;
    case 'expired':
      return expired;
    case 'saved':
      throw new PaymentUnknownError('the page of a charge has saved a method');
  }
}

const expired = failed(expiredCode, 'The payment was not completed.');
const methodRemoved = failed('method_removed', 'The payment method was removed, or can no longer be charged.');
const alreadyPaid = failed('already_paid', 'The invoice was paid or credited before the charge.');

function failed(code: string, message: string): ChargeOutcome {
  return { state: 'failed', externalId: '', code, message, isRetryable: true };
}

/** A payment pays the oldest invoice first, so that the charge of another one may have paid this one: that is then still due. */
async function isPaidOtherwise(queries: Queries, charge: store.Charge, today: number): Promise<boolean> {
  if (charge.invoice_id === null) return false;
  const open = await invoicesOpen(queries, charge.account_id);
  const due = open.filter(({ id, due_day }) => id === charge.invoice_id || due_day <= today);
  return due.reduce((sum, { open_cents }) => sum + open_cents, 0) < charge.amount_cents;
}

/** Returns what customers read on the page and in their statement. */
export async function describeCharge(queries: Queries, charge: store.Charge): Promise<string> {
  if (charge.invoice_id === null) return 'Account credit';
  return (await invoiceFind(queries, charge.account_id, charge.invoice_id))!.number;
}
