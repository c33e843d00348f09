// Money that comes in: noted once by its reference, put against what is owed, oldest first, and what is left becomes credit.
// Whoever brings it (staff, a bank's list, a payment provider's hook) comes through here.
import type { AppendParts } from '#jobs/event-append.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { dayOf } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { accountFind, type Account } from '#store/account/accounts.ts';
import { billingAccountHold } from '#store/billing/billing-accounts.ts';
import {
  invoiceByNumber,
  invoiceSettle,
  invoicesOpen,
  paymentInsert,
  type OpenInvoice,
} from '#store/billing/invoices.ts';
import { ledgerPost } from '#store/billing/ledger.ts';
import { receiptFind, receiptInsert } from '#store/billing/receipts.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { invoiceEvent } from './issue.ts';
import { billingSettings, type BillingSettings } from './settings.ts';
import { resume } from './suspension.ts';
import { messageAppend } from './messages.ts';

export interface IncomingPayment {
  /** Whose money it is: an account, or the account of the invoice with this number. */
  readonly payer: { readonly account: AccountId } | { readonly invoice: string };
  readonly cents: number;
  /** Where the sender names one, it must be the account's. */
  readonly currency?: string;
  readonly paidAt: number;
  readonly method: string;
  /** What makes it this payment and no other, among those that came by this method. */
  readonly reference: string;
}

/** In a transaction. `again`: this reference was received before, and nothing is done. */
export async function paymentReceive(
  parts: AppendParts,
  queries: Queries,
  payment: IncomingPayment,
): Promise<'received' | 'again'> {
  const { cents, paidAt, method, reference } = payment;
  if (!Number.isSafeInteger(cents) || cents <= 0) throw invalid({ amount: 'must be above zero' });
  const { id: account, currency } = await payerOf(queries, payment.payer);
  if (payment.currency !== undefined && payment.currency !== currency)
    throw invalid({ currency: `must be ${currency}, the account’s` });
  await billingAccountHold(queries, account);
  const receipt = await receiptInsert(queries, account, { method, reference, amount_cents: cents, paid_at: paidAt });
  if (receipt === undefined) {
    await checkSame(queries, account, payment);
    return 'again';
  }
  const occasion = { at: paidAt, kind: 'payment', reference } as const;
  const data = { amount: moneyText(cents), method, reference };
  await messageAppend(parts, queries, { account, type: 'payment.received', data });
  let left = cents;
  for (const invoice of await invoicesOpen(queries, account)) {
    if (left === 0) break;
    const part = Math.min(left, invoice.open_cents);
    left -= part;
    await paymentInsert(queries, account, invoice.id, {
      amount_cents: part,
      paid_at: paidAt,
      method,
      reference,
      receipt_id: receipt,
    });
    await ledgerPost(queries, account, { ...occasion, invoice: invoice.id }, [
      { debit: `paid:${method}`, credit: 'receivable', cents: part },
    ]);
    if (part === invoice.open_cents) await invoicePaid(parts, queries, account, invoice, paidAt);
  }
  await ledgerPost(queries, account, occasion, [{ debit: `paid:${method}`, credit: 'credit', cents: left }]);
  await resumeIfPaid(parts, queries, account);
  return 'received';
}

async function payerOf(queries: Queries, payer: IncomingPayment['payer']): Promise<Account> {
  const id = 'account' in payer ? payer.account : (await invoiceByNumber(queries, payer.invoice))?.account_id;
  if (id === undefined) throw new Fault('not_found', { message: 'There is no invoice with this number.' });
  const account = await accountFind(queries, id);
  if (account === undefined) throw new Fault('not_found', { message: 'There is no such account.' });
  return account;
}

/** The same reference for other money is a mistake that somebody must look at, not a repetition. */
async function checkSame(queries: Queries, account: AccountId, payment: IncomingPayment): Promise<void> {
  const before = await receiptFind(queries, payment.method, payment.reference);
  if (before?.account_id === account && before.amount_cents === payment.cents) return;
  throw new Fault('already_exists', { message: 'Another payment was received with this reference.' });
}

export async function invoicePaid(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  invoice: OpenInvoice,
  paidAt: number,
): Promise<void> {
  await invoiceSettle(queries, account, invoice.id, { status: 'Paid', paid_at: paidAt });
  await messageAppend(parts, queries, { account, type: 'invoice.paid', data: invoiceEvent(invoice) });
}

/** Lifts a suspension once nothing is as late any more as what led to it. */
export async function resumeIfPaid(parts: AppendParts, queries: Queries, account: AccountId): Promise<void> {
  const settings = await billingSettings(queries);
  if (!settings.liftOnPayment) return;
  const today = dayOf(parts.clock.now());
  const open = await invoicesOpen(queries, account);
  if (!open.some((invoice) => isSuspending(settings, invoice, today))) await resume(parts, queries, account);
}

function isSuspending({ suspendAfterDays }: BillingSettings, { due_day }: OpenInvoice, today: number): boolean {
  return suspendAfterDays !== undefined && today - due_day >= suspendAfterDays && today > due_day;
}
