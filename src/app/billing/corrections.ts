// Credit notes, goodwill credit and refunds. Issued documents never change: a correction is a new document, and each of
// these is a ledger entry.
import type { AppendParts } from '#events/append.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/billing/invoices.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import { creditOf, ledgerPost, isRefundRecorded } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import { invoiceEventData, issueInvoice, lineOfRow, type IssuedInvoice } from './issue.ts';
import { markInvoicePaid, resumeIfPaid } from './payments.ts';
import { appendMessage } from './messages.ts';
import type { AccountId } from '#store/account-id.ts';

/**
 * Issues a credit note for a whole invoice. The open amount is no longer owed, and the paid amount becomes credit.
 * Needs a transaction.
 */
export async function cancelInvoice(
  parts: AppendParts,
  queries: Queries,
  number: string,
  reason: string,
): Promise<IssuedInvoice> {
  const invoice = await store.invoiceByNumber(queries, number);
  if (invoice === undefined) throw new ApiError('not_found', { message: 'Invoice not found.' });
  const { id, account_id: account } = invoice;
  await billingAccountLock(queries, account);
  if (invoice.kind === 'CreditNote') throw conflict('This is a credit note and cannot be cancelled.');
  if (invoice.status === 'Cancelled' || (await store.invoiceCorrections(queries, account, id)).length > 0)
    throw new ApiError('already_exists', { message: 'This invoice is already cancelled.' });
  const now = parts.clock.now();
  const taxes = await invoiceTaxes(queries, account, id);
  const lines = (await store.invoiceLines(queries, account, id))
    .map((row) => lineOfRow(row, taxes))
    .map((line) => ({ ...line, cents: -line.cents }));
  const corrects = { id, taxRate: invoice.tax_rate, taxRate2: invoice.tax_rate2 };
  const note = await issueInvoice(queries, account, { now, lines, notes: reason, corrects });
  await appendMessage(parts, queries, { account, type: 'invoice.issued', data: invoiceEventData(note) });
  const open = (await store.invoicesOpen(queries, account)).find((candidate) => candidate.id === id);
  if (open !== undefined) {
    const isWhollyUnpaid = open.open_cents === open.total_cents;
    await store.paymentInsert(queries, account, id, {
      amount_cents: open.open_cents,
      paid_at: now,
      method: 'creditnote',
      reference: note.number,
      receipt_id: null,
    });
    // The note has become credit, of which the open amount is used at once.
    await ledgerPost(queries, account, { at: now, kind: 'credit', invoice: id, reference: note.number }, [
      { debit: 'credit', credit: 'receivable', cents: open.open_cents },
    ]);
    if (isWhollyUnpaid) await store.invoiceSettle(queries, account, id, { status: 'Cancelled', paid_at: null });
    else await markInvoicePaid(parts, queries, account, open, now);
    await resumeIfPaid(parts, queries, account);
  }
  return note;
}

/** Grants goodwill credit for the next invoices. Needs a transaction. */
export async function giveCredit(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  cents: number,
  reason: string,
): Promise<void> {
  await lockAccount(queries, account, cents);
  await ledgerPost(queries, account, { at: parts.clock.now(), kind: 'credit', reference: reason }, [
    { debit: 'goodwill', credit: 'credit', cents },
  ]);
}

export interface Refund {
  readonly account: AccountId;
  readonly cents: number;
  readonly method: string;
  readonly reference: string;
}

/** Pays out credit, at most what there is. Needs a transaction. */
export async function refundCredit(parts: AppendParts, queries: Queries, refund: Refund): Promise<void> {
  const { account, cents, method, reference } = refund;
  await lockAccount(queries, account, cents);
  if (await isRefundRecorded(queries, account, `paid:${method}`, reference))
    throw new ApiError('already_exists', { message: 'A refund with this reference already exists.' });
  if ((await creditOf(queries, account)) < cents) throw conflict('The account has less credit than that.');
  await ledgerPost(queries, account, { at: parts.clock.now(), kind: 'refund', reference }, [
    { debit: 'credit', credit: `paid:${method}`, cents },
  ]);
}

async function lockAccount(queries: Queries, account: AccountId, cents: number): Promise<void> {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw invalid({ amount: 'must be above zero' });
  if ((await accountFind(queries, account)) === undefined)
    throw new ApiError('not_found', { message: 'Account not found.' });
  await billingAccountLock(queries, account);
}
