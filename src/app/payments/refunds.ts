// Refunds of charges. A refund pays out credit: an invoice that is to be refunded is cancelled first, so that its amount
// becomes credit. The credit is reserved when the refund is created, so that nothing else uses it until then.
import { randomUUID } from 'node:crypto';
import type { RefundOutcome } from '#drivers/payment/driver.ts';
import { appendEvent } from '#events/append.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import { moneyText } from '#lib/money.ts';
import { creditOf, isRefundRecorded, ledgerPost } from '#store/billing/ledger.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import { chargeChange, chargeLoad } from '#store/payments/charges.ts';
import * as store from '#store/payments/refunds.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../app.ts';
import { receivePayment } from '../billing/payments.ts';
import { refundableCents } from './charge-state.ts';
import { claimMs, paymentReconciler } from './charges.ts';
import { requirePaymentDriver } from './drivers.ts';
import { lockCharge, type PaymentParts } from './settle.ts';
import { takeBack } from './take-back.ts';

const delays = { shortestMs: 10_000, longestMs: 3_600_000 };
/** How often a refund is checked that the provider has accepted, but not decided yet. */
const resultCheckMs = 6 * 3_600_000;

export interface NewRefund {
  readonly charge: number;
  readonly cents: number;
  readonly reason: string;
}

/** Needs a transaction. The refund starts when it is committed. */
export async function createRefund(
  { clock }: Pick<App, 'clock'>,
  queries: Queries,
  { charge: id, cents, reason }: NewRefund,
): Promise<store.PaymentRefund> {
  const charge = await lockCharge(queries, id);
  const account = charge.account_id;
  if (!Number.isSafeInteger(cents) || cents <= 0) throw invalid({ amount: 'must be above zero' });
  if (cents > refundableCents(charge))
    throw conflict(`At most ${moneyText(refundableCents(charge))} of this charge can be refunded.`);
  if ((await creditOf(queries, account)) < cents)
    throw conflict('The account has less credit than that. Cancel the invoice first: the paid amount becomes credit.');
  const now = clock.now();
  const refund = await store.refundInsert(queries, {
    account_id: account,
    charge_id: id,
    key: randomUUID(),
    amount_cents: cents,
    state: 'created',
    external_id: '',
    failure_code: '',
    reason,
    created_at: now,
    changed_at: now,
    next_look_at: now,
  });
  await ledgerPost(queries, account, { at: now, kind: 'refund', reference: `refund ${refund.id}` }, [
    { debit: 'credit', credit: 'refunds', cents },
  ]);
  await chargeChange(queries, charge, { refunded_cents: charge.refunded_cents + cents, changed_at: now });
  await reconcilerSignal(queries, paymentReconciler);
  return refund;
}

/** Sends a refund to the provider, or asks what became of it. Throws if the provider does not answer. */
export async function performRefund(app: App, refund: store.PaymentRefund, signal: AbortSignal): Promise<void> {
  const { queries } = app.store;
  const now = app.clock.now();
  if (!(await store.refundClaim(queries, refund, now + claimMs))) return;
  try {
    const charge = (await chargeLoad(queries, refund.charge_id))!;
    const driver = await requirePaymentDriver(app, queries, charge.driver);
    const outcome = await driver.refund(
      {
        key: refund.key,
        chargeExternalId: charge.external_id,
        cents: refund.amount_cents,
        currency: charge.currency,
        createdAt: refund.created_at,
      },
      signal,
    );
    await app.store.transaction((writing) => settleRefund(app, writing, refund.key, outcome));
  } catch (error) {
    const delay = growingDelay(now - refund.created_at, delays);
    await store.refundChange(queries, refund, { next_look_at: app.clock.now() + delay });
    throw error;
  }
}

const ranks = { created: 0, submitted: 1, succeeded: 2, failed: 3 } as const;

/**
 * Applies a report about a refund. A refund can fail after it has succeeded, when the customer's bank returns it. Needs a
 * transaction.
 */
export async function settleRefund(
  parts: PaymentParts,
  queries: Queries,
  key: string,
  outcome: RefundOutcome,
): Promise<void> {
  const { charge_id } = (await store.refundByKey(queries, key))!;
  const charge = await lockCharge(queries, charge_id);
  const refund = (await store.refundByKey(queries, key))!;
  const now = parts.clock.now();
  if (ranks[outcome.state] <= ranks[refund.state]) {
    if (refund.state === 'submitted') await store.refundChange(queries, refund, { next_look_at: now + resultCheckMs });
    return;
  }
  const { account_id: account, amount_cents: cents } = refund;
  const book = `paid:${charge.driver}` as const;
  const reference = outcome.externalId === '' ? `refund ${refund.id}` : outcome.externalId;
  const occasion = { at: now, kind: 'refund', reference } as const;
  if (outcome.state === 'succeeded') {
    await ledgerPost(queries, account, occasion, [{ debit: 'refunds', credit: book, cents }]);
    const data = { amount: moneyText(cents), method: charge.driver };
    await appendEvent(parts, queries, { account, type: 'payment.refunded', data });
  }
  if (outcome.state === 'failed') {
    const debit = refund.state === 'succeeded' ? book : 'refunds';
    await ledgerPost(queries, account, occasion, [{ debit, credit: 'credit', cents }]);
    await chargeChange(queries, charge, { refunded_cents: charge.refunded_cents - cents, changed_at: now });
  }
  await store.refundChange(queries, refund, {
    state: outcome.state,
    external_id: outcome.externalId,
    failure_code: outcome.state === 'failed' ? outcome.code : '',
    changed_at: now,
    next_look_at: outcome.state === 'submitted' ? now + resultCheckMs : null,
  });
}

interface ForeignRefund {
  readonly externalId: string;
  readonly cents: number;
}

/** Records a refund that was started at the provider, which reopens the invoice. Needs a transaction. */
export async function recordForeignRefund(
  parts: PaymentParts,
  queries: Queries,
  id: number,
  { externalId, cents }: ForeignRefund,
): Promise<void> {
  const charge = await lockCharge(queries, id);
  const at = parts.clock.now();
  const reopened = await takeBack(queries, charge, { kind: 'refund', reference: externalId, cents, at });
  if (reopened === undefined) return;
  await chargeChange(queries, charge, { refunded_cents: charge.refunded_cents + cents, changed_at: at });
  const data = { amount: moneyText(cents), method: charge.driver };
  await appendEvent(parts, queries, { account: charge.account_id, type: 'payment.refunded', data });
}

/** Receives the money again when the customer's bank returns such a refund. Needs a transaction. */
export async function reverseForeignRefund(
  parts: PaymentParts,
  queries: Queries,
  id: number,
  { externalId: reference, cents }: ForeignRefund,
): Promise<void> {
  const charge = await lockCharge(queries, id);
  const { account_id: account, driver: method } = charge;
  // One that failed before it was paid has taken nothing, unless the notice of its payment is late.
  if (!(await isRefundRecorded(queries, account, `paid:${method}`, reference)))
    throw new Error(`no payment of the refund ${reference} has been reported`);
  if ((await receiptFind(queries, method, reference)) !== undefined) return;
  const now = parts.clock.now();
  await receivePayment(parts, queries, { payer: { account }, cents, paidAt: now, method, reference });
  await chargeChange(queries, charge, { refunded_cents: charge.refunded_cents - cents, changed_at: now });
}
