// Writes off invoices that will not be paid. The open amount leaves the receivables as a loss; a payment that still
// arrives reverses that part of the write-off.
import type { AppendParts } from '#events/append.ts';
import { conflict } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/billing/invoices.ts';
import { ledgerPost, writtenOffInvoices, type Occasion } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { invoiceEventData } from './issue.ts';
import { appendMessage } from './messages.ts';

/** How a write-off appears among the payments of its invoice. */
const writeOffMethod = 'writeoff';

/**
 * Writes off what is open. The invoice is then cancelled, the only status that is neither paid nor owed. A suspension of
 * the account stays, because the debt is not paid. Returns the amount. Needs a transaction.
 */
export async function writeOffInvoice(
  parts: AppendParts,
  queries: Queries,
  { id, account_id: account, number }: store.Invoice,
): Promise<number> {
  await billingAccountLock(queries, account);
  const open = (await store.invoicesOpen(queries, account)).find((candidate) => candidate.id === id);
  if (open === undefined) throw conflict('Only an unpaid invoice can be written off.');
  const now = parts.clock.now();
  await store.paymentInsert(queries, account, id, paymentOf(open.open_cents, now));
  await ledgerPost(queries, account, { at: now, kind: 'write-off', invoice: id, reference: number }, [
    { debit: 'written-off', credit: 'receivable', cents: open.open_cents },
  ]);
  await store.invoiceSettle(queries, account, id, { status: 'Cancelled', paid_at: null });
  return open.open_cents;
}

/** The rest of a payment once all open invoices are paid. */
export interface PaymentRest {
  readonly cents: number;
  readonly paidAt: number;
  readonly method: string;
  readonly reference: string;
  readonly receipt: number;
}

/** Pays written-off invoices, the oldest first, and returns what is left. Needs a transaction that holds the account. */
export async function recoverWrittenOff(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  { cents, paidAt, method, reference, receipt }: PaymentRest,
): Promise<number> {
  if (cents === 0) return 0;
  let left = cents;
  for (const { id, cents: lost } of await writtenOffInvoices(queries, account)) {
    const part = Math.min(left, lost);
    if (part === 0) break;
    left -= part;
    const occasion: Occasion = { at: paidAt, kind: 'payment', invoice: id, reference };
    // At the time of the payment, so that the receivables of no day become negative.
    await store.paymentInsert(queries, account, id, paymentOf(-part, paidAt));
    await store.paymentInsert(queries, account, id, {
      amount_cents: part,
      paid_at: paidAt,
      method,
      reference,
      receipt_id: receipt,
    });
    await ledgerPost(queries, account, { ...occasion, kind: 'write-off' }, [
      { debit: 'receivable', credit: 'written-off', cents: part },
    ]);
    await ledgerPost(queries, account, occasion, [{ debit: `paid:${method}`, credit: 'receivable', cents: part }]);
    if (part === lost) await markRecovered(parts, queries, account, id, paidAt);
  }
  return left;
}

function paymentOf(cents: number, at: number): store.NewPayment {
  return { amount_cents: cents, paid_at: at, method: writeOffMethod, reference: '', receipt_id: null };
}

/** One that a chargeback has reopened stays unpaid. */
async function markRecovered(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  id: number,
  paidAt: number,
): Promise<void> {
  await store.invoiceRecover(queries, account, id, paidAt);
  const invoice = (await store.invoiceFind(queries, account, id))!;
  if (invoice.status === 'Paid')
    await appendMessage(parts, queries, { account, type: 'invoice.paid', data: invoiceEventData(invoice) });
}
