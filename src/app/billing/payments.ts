// Incoming money: recorded once by its reference and applied to what is owed, oldest first, then to what was written
// off; the rest becomes credit.
// All sources (staff, bank lists, payment hooks) go through here.
import type { AppendParts } from '#events/append.ts';
import { ApiError, invalid, requireFound } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import type { Account } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/billing/invoices.ts';
import { ledgerPost } from '#store/billing/ledger.ts';
import { receiptFind, receiptInsert } from '#store/billing/receipts.ts';
import type { Queries } from '#store/store.ts';
import { getCustomer } from '../operator/accounts.ts';
import { invoiceEventData } from './issue.ts';
import { getBillingSettings, type BillingSettings } from './settings.ts';
import { resumeAccount } from './suspension.ts';
import { appendMessage } from './messages.ts';
import { recoverWrittenOff } from './write-offs.ts';
import type { AccountId } from '#store/account-id.ts';

export interface IncomingPayment {
  /** The account that pays, or the invoice that it pays for. */
  readonly payer: { readonly account: AccountId } | { readonly invoice: string };
  readonly cents: number;
  /** If the sender gives one, it must be the account's. */
  readonly currency?: string;
  readonly paidAt: number;
  readonly method: string;
  /** Identifies the payment among those of the same method. */
  readonly reference: string;
}

/** Returns `duplicate` without changing anything if this reference has been received before. Needs a transaction. */
export async function receivePayment(
  parts: AppendParts,
  queries: Queries,
  payment: IncomingPayment,
): Promise<'received' | 'duplicate'> {
  const { cents, paidAt, method, reference } = payment;
  if (!Number.isSafeInteger(cents) || cents <= 0) throw invalid({ amount: 'must be above zero' });
  const { id: account, currency } = await findPayer(queries, payment.payer);
  if (payment.currency !== undefined && payment.currency !== currency)
    throw invalid({ currency: `must be ${currency}, the currency of the account` });
  await billingAccountLock(queries, account);
  const receipt = await receiptInsert(queries, account, { method, reference, amount_cents: cents, paid_at: paidAt });
  if (receipt === undefined) {
    await requireSamePayment(queries, account, payment);
    return 'duplicate';
  }
  const occasion = { at: paidAt, kind: 'payment', reference } as const;
  const data = { amount: moneyText(cents), method, reference };
  await appendMessage(parts, queries, { account, type: 'payment.received', data });
  let left = cents;
  for (const invoice of await store.invoicesOpen(queries, account)) {
    if (left === 0) break;
    const part = Math.min(left, invoice.open_cents);
    left -= part;
    await store.paymentInsert(queries, account, invoice.id, {
      amount_cents: part,
      paid_at: paidAt,
      method,
      reference,
      receipt_id: receipt,
    });
    await ledgerPost(queries, account, { ...occasion, invoice: invoice.id }, [
      { debit: `paid:${method}`, credit: 'receivable', cents: part },
    ]);
    if (part === invoice.open_cents) await markInvoicePaid(parts, queries, account, invoice, paidAt);
  }
  left = await recoverWrittenOff(parts, queries, account, { cents: left, paidAt, method, reference, receipt });
  await ledgerPost(queries, account, occasion, [{ debit: `paid:${method}`, credit: 'credit', cents: left }]);
  await resumeIfPaid(parts, queries, account);
  return 'received';
}

async function findPayer(queries: Queries, payer: IncomingPayment['payer']): Promise<Account> {
  const id = 'account' in payer ? payer.account : (await store.invoiceByNumber(queries, payer.invoice))?.account_id;
  return getCustomer(queries, requireFound(id, 'Invoice not found.'));
}

/** The same reference with another amount or account is an error for a person to resolve, not a repetition. */
async function requireSamePayment(queries: Queries, account: AccountId, payment: IncomingPayment): Promise<void> {
  const receipt = await receiptFind(queries, payment.method, payment.reference);
  if (receipt?.account_id === account && receipt.amount_cents === payment.cents) return;
  throw new ApiError('already_exists', { message: 'Another payment with this reference has already been received.' });
}

export async function markInvoicePaid(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  invoice: store.OpenInvoice,
  paidAt: number,
): Promise<void> {
  await store.invoiceSettle(queries, account, invoice.id, { status: 'Paid', paid_at: paidAt });
  await appendMessage(parts, queries, { account, type: 'invoice.paid', data: invoiceEventData(invoice) });
}

/** Lifts a suspension once no invoice is late enough to cause one. */
export async function resumeIfPaid(parts: AppendParts, queries: Queries, account: AccountId): Promise<void> {
  const settings = await getBillingSettings(queries);
  if (!settings.liftOnPayment) return;
  const today = dayOf(parts.clock.now());
  const open = await store.invoicesOpen(queries, account);
  if (!open.some((invoice) => causesSuspension(settings, invoice, today))) await resumeAccount(parts, queries, account);
}

function causesSuspension(
  { suspendAfterDays }: BillingSettings,
  { due_day }: store.OpenInvoice,
  today: number,
): boolean {
  return suspendAfterDays !== undefined && today - due_day >= suspendAfterDays && today > due_day;
}
