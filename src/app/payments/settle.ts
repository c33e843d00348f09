// Applies what a payment provider reports about a charge: its outcome, a chargeback, and the return of the money after a
// dispute. Response, notice and reconciler all end here, and each movement of money is recorded once, whichever of them
// comes first.
import { appendEvent } from '#events/append.ts';
import type { ChargeOutcome } from '#drivers/payment/driver.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText } from '#lib/time.ts';
import { providerAccount } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import { isWithdrawalRecorded } from '#store/billing/ledger.ts';
import { receiptFind } from '#store/billing/receipts.ts';
import { chargeChange, chargeLoad, chargesOfInvoice, type Charge } from '#store/payments/charges.ts';
import { defaultMethodSet, methodChange, methodFind, type PaymentMethod } from '#store/payments/methods.ts';
import type { Queries } from '#store/store.ts';
import { receivePayment } from '../billing/payments.ts';
import { queueMail } from '../mail/sending.ts';
import { stateAfter } from './charge-state.ts';
import { nextAttemptDay } from './attempts.ts';
import { getCollectionSettings } from './settings.ts';
import type { App } from '../app.ts';
import { takeBack } from './take-back.ts';

export type PaymentParts = Pick<App, 'queue' | 'clock' | 'secrets'>;

/** Locks the account of the charge and returns the current charge. */
export async function lockCharge(queries: Queries, id: number): Promise<Charge> {
  const { account_id } = (await chargeLoad(queries, id))!;
  await billingAccountLock(queries, account_id);
  return (await chargeLoad(queries, id))!;
}

/** Applies a report about a charge. Returns false if it changes nothing. Needs a transaction. */
export async function settleCharge(
  parts: PaymentParts,
  queries: Queries,
  id: number,
  outcome: ChargeOutcome,
): Promise<boolean> {
  const charge = await lockCharge(queries, id);
  const state = stateAfter(charge, outcome);
  if (state === undefined) return false;
  const now = parts.clock.now();
  if (outcome.state === 'succeeded') {
    if (outcome.cents !== charge.amount_cents)
      throw new Error(`charge ${id} is of ${charge.amount_cents} cents, but ${outcome.cents} were paid`);
    await receivePayment(parts, queries, {
      payer: { account: charge.account_id },
      cents: outcome.cents,
      currency: charge.currency,
      paidAt: now,
      method: charge.driver,
      reference: outcome.externalId,
    });
  }
  const failure = outcome.state === 'failed' ? outcome : { code: '', message: '' };
  await chargeChange(queries, charge, {
    state,
    external_id: outcome.externalId === '' ? charge.external_id : outcome.externalId,
    failure_code: failure.code,
    failure_message: failure.message,
    changed_at: now,
    // A page is still watched; everything else is decided, or its result comes as a notice.
    next_look_at: state === 'needs_action' && charge.checkout_id !== '' ? charge.next_look_at : null,
  });
  if (outcome.state === 'failed') await handleFailure(parts, queries, charge, outcome);
  if (outcome.state === 'needs_action') await notifyOfAction(parts, queries, charge);
  return true;
}

/** An abandoned page needs no notice: the person knows. */
async function handleFailure(
  parts: PaymentParts,
  queries: Queries,
  charge: Charge,
  { message, isRetryable }: Extract<ChargeOutcome, { state: 'failed' }>,
): Promise<void> {
  const method = await findMethod(queries, charge);
  if (method === undefined) return;
  if (!isRetryable && method.state === 'active') {
    await methodChange(queries, method, { state: 'expired', changed_at: parts.clock.now() });
    if (method.is_default === 1) await defaultMethodSet(queries, method.account_id, undefined);
  }
  const next = isRetryable ? await nextDay(parts, queries, charge) : undefined;
  await appendEvent(parts, queries, {
    account: charge.account_id,
    type: 'payment.failed',
    data: {
      ...(await describePayment(queries, charge)),
      reason: message,
      nexttry: next === undefined ? '' : dayNumberText(next),
    },
  });
}

async function nextDay(parts: PaymentParts, queries: Queries, charge: Charge): Promise<number | undefined> {
  if (charge.invoice_id === null || charge.attempt === 0) return undefined;
  const invoice = (await invoiceFind(queries, charge.account_id, charge.invoice_id))!;
  if (invoice.status !== 'Unpaid') return undefined;
  const charges = await chargesOfInvoice(queries, charge.account_id, charge.invoice_id);
  return nextAttemptDay(invoice.due_day, charges, await getCollectionSettings(parts, queries));
}

async function notifyOfAction(parts: PaymentParts, queries: Queries, charge: Charge): Promise<void> {
  if (charge.method_id === null) return;
  const data = await describePayment(queries, charge);
  await appendEvent(parts, queries, { account: charge.account_id, type: 'payment.action', data });
}

export interface Chargeback {
  /** The provider's id of the chargeback. */
  readonly reference: string;
  readonly cents: number;
  readonly reason: string;
}

/**
 * Takes back the money of a charge, which reopens its invoice. Throws if the charge has not succeeded yet. Needs a
 * transaction.
 */
export async function chargeBack(
  parts: PaymentParts,
  queries: Queries,
  id: number,
  { reference, cents, reason: code }: Chargeback,
): Promise<void> {
  const charge = await lockCharge(queries, id);
  const now = parts.clock.now();
  const reopened = await takeBack(queries, charge, { kind: 'chargeback', reference, cents, at: now });
  if (reopened === undefined) return;
  await chargeChange(queries, charge, {
    charged_back_cents: charge.charged_back_cents + cents,
    changed_at: now,
  });
  const reason = code.replaceAll('_', ' ');
  const data = { ...(await describePayment(queries, charge)), amount: moneyText(cents), reason };
  await appendEvent(parts, queries, { account: charge.account_id, type: 'payment.chargeback', data });
  const { notify } = await getCollectionSettings(parts, queries);
  if (notify === undefined) return;
  await queueMail(parts, queries, {
    account: providerAccount,
    contact: null,
    address: notify,
    language: '',
    kind: 'chargeback',
    values: {
      account: String(charge.account_id),
      amount: `${data.amount} ${charge.currency}`,
      invoicenum: data.invoicenum,
      reason,
    },
  });
}

/** Receives the money of a chargeback again, after the dispute was won. Throws if it has not been taken yet. Needs a transaction. */
export async function reverseChargeback(
  parts: PaymentParts,
  queries: Queries,
  id: number,
  { reference, cents }: Pick<Chargeback, 'reference' | 'cents'>,
): Promise<void> {
  const charge = await lockCharge(queries, id);
  const { account_id: account, driver: method } = charge;
  // Otherwise it would be received twice, once as credit, and the invoice reopened after that.
  if (!(await isWithdrawalRecorded(queries, account, `paid:${method}`, { kind: 'chargeback', reference })))
    throw new Error(`no withdrawal of the chargeback ${reference} has been reported`);
  if ((await receiptFind(queries, method, reference)) !== undefined) return;
  const now = parts.clock.now();
  await receivePayment(parts, queries, { payer: { account }, cents, paidAt: now, method, reference });
  await chargeChange(queries, charge, { charged_back_cents: charge.charged_back_cents - cents, changed_at: now });
}

async function findMethod(queries: Queries, charge: Charge): Promise<PaymentMethod | undefined> {
  return charge.method_id === null ? undefined : methodFind(queries, charge.account_id, charge.method_id);
}

async function describePayment(queries: Queries, charge: Charge) {
  const invoice =
    charge.invoice_id === null ? undefined : await invoiceFind(queries, charge.account_id, charge.invoice_id);
  return {
    amount: moneyText(charge.amount_cents),
    invoicenum: invoice?.number ?? '',
    method: (await findMethod(queries, charge))?.label ?? charge.driver,
  };
}
