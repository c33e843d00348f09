// Taking back what was issued, giving credit and giving money back. Nothing that was written changes: a correction is a new
// document, and every one of these is an entry of the ledger.
import type { AppendParts } from '#jobs/event-append.ts';
import { Fault, invalid } from '#kernel/fault.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountHold } from '#store/billing/billing-accounts.ts';
import {
  invoiceByNumber,
  invoiceCorrections,
  invoiceLines,
  invoiceSettle,
  invoicesOpen,
  paymentInsert,
} from '#store/billing/invoices.ts';
import { creditOf, ledgerPost, refundKnown } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { invoiceEvent, invoiceIssue, type IssuedInvoice } from './issue.ts';
import { invoicePaid, resumeIfPaid } from './payments.ts';
import { messageAppend } from './messages.ts';

/** In a transaction: a credit note over all of an invoice. What was open on it is owed no more, what was paid is credit. */
export async function invoiceTakeBack(
  parts: AppendParts,
  queries: Queries,
  number: string,
  reason: string,
): Promise<IssuedInvoice> {
  const invoice = await invoiceByNumber(queries, number);
  if (invoice === undefined) throw new Fault('not_found', { message: 'There is no invoice with this number.' });
  const { id, account_id: account } = invoice;
  await billingAccountHold(queries, account);
  if (invoice.kind === 'CreditNote') throw new Fault('state_conflict', { message: 'This is a credit note itself.' });
  if (invoice.status === 'Cancelled' || (await invoiceCorrections(queries, account, id)).length > 0)
    throw new Fault('already_exists', { message: 'This invoice has been taken back.' });
  const now = parts.clock.now();
  const lines = (await invoiceLines(queries, account, id)).map((line) => ({
    type: line.type,
    service: line.service_id ?? undefined,
    description: line.description,
    cents: -line.amount_cents,
    taxed: line.taxed === 1,
  }));
  const corrects = { id, taxRate: invoice.tax_rate, taxRate2: invoice.tax_rate2 };
  const note = await invoiceIssue(queries, account, { now, lines, notes: reason, corrects });
  await messageAppend(parts, queries, { account, type: 'invoice.issued', data: invoiceEvent(note) });
  const open = (await invoicesOpen(queries, account)).find((each) => each.id === id);
  if (open !== undefined) {
    const untouched = open.open_cents === open.total_cents;
    await paymentInsert(queries, account, id, {
      amount_cents: open.open_cents,
      paid_at: now,
      method: 'creditnote',
      reference: note.number,
      receipt_id: null,
    });
    // The note has become credit; so much of it is used up at once.
    await ledgerPost(queries, account, { at: now, kind: 'credit', invoice: id, reference: note.number }, [
      { debit: 'credit', credit: 'receivable', cents: open.open_cents },
    ]);
    if (untouched) await invoiceSettle(queries, account, id, { status: 'Cancelled', paid_at: null });
    else await invoicePaid(parts, queries, account, open, now);
    await resumeIfPaid(parts, queries, account);
  }
  return note;
}

/** In a transaction: credit that the provider gives away, for the next invoices. */
export async function creditGive(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  cents: number,
  reason: string,
): Promise<void> {
  await holdKnown(queries, account, cents);
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

/** In a transaction: credit that is paid out, no more than there is. */
export async function creditRefund(parts: AppendParts, queries: Queries, refund: Refund): Promise<void> {
  const { account, cents, method, reference } = refund;
  await holdKnown(queries, account, cents);
  if (await refundKnown(queries, account, `paid:${method}`, reference))
    throw new Fault('already_exists', { message: 'A refund was made with this reference.' });
  if ((await creditOf(queries, account)) < cents)
    throw new Fault('state_conflict', { message: 'The account has less credit than that.' });
  await ledgerPost(queries, account, { at: parts.clock.now(), kind: 'refund', reference }, [
    { debit: 'credit', credit: `paid:${method}`, cents },
  ]);
}

async function holdKnown(queries: Queries, account: AccountId, cents: number): Promise<void> {
  if (!Number.isSafeInteger(cents) || cents <= 0) throw invalid({ amount: 'must be above zero' });
  if ((await accountFind(queries, account)) === undefined)
    throw new Fault('not_found', { message: 'There is no such account.' });
  await billingAccountHold(queries, account);
}
