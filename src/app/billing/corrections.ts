// Credit notes, goodwill credit and refunds. Issued documents never change: a correction is a new document, and each of
// these is a ledger entry.
import type { AppendParts } from '#events/append.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { accountFind } from '#store/account/accounts.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/billing/invoices.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import { creditOf, ledgerPost, isRefundRecorded, writtenOffInvoices } from '#store/billing/ledger.ts';
import type { Queries } from '#store/store.ts';
import type { DocumentLine } from './documents/invoice-document.ts';
import { invoiceEventData, issueInvoice, lineOfRow, type IssuedInvoice } from './issue.ts';
import { markInvoicePaid, resumeIfPaid } from './payments.ts';
import { appendMessage } from './messages.ts';
import { runCreditsOfInvoice } from './run-credits.ts';
import type { AccountId } from '#store/account-id.ts';

/** How a credit note appears among the payments of its invoice. */
const creditNoteMethod = 'creditnote';

export interface CreditedLine {
  readonly id: number;
  /** All that is left of the line by default. */
  readonly cents?: number | undefined;
}

/**
 * Issues a credit note for what is left of an invoice. The open amount is no longer owed, and the paid amount becomes
 * credit. Needs a transaction.
 */
export async function cancelInvoice(
  parts: AppendParts,
  queries: Queries,
  number: string,
  reason: string,
): Promise<IssuedInvoice> {
  const invoice = requireFound(await store.invoiceByNumber(queries, number), 'Invoice not found.');
  return issueCreditNote(parts, queries, invoice, { reason });
}

/** Issues a credit note for some lines of an invoice, or for what is left of all. Needs a transaction. */
export async function issueCreditNote(
  parts: AppendParts,
  queries: Queries,
  invoice: store.Invoice,
  { reason, lines: chosen }: { readonly reason: string; readonly lines?: readonly CreditedLine[] | undefined },
): Promise<IssuedInvoice> {
  const { id, account_id: account } = invoice;
  await billingAccountLock(queries, account);
  if (invoice.kind === 'CreditNote') throw conflict('This is a credit note and cannot be cancelled.');
  const notes = await store.invoiceCorrections(queries, account, id);
  if (isCredited(invoice, notes)) throw alreadyCancelled();
  await requireOwed(queries, id, account);
  const lines = await loadLines(queries, account, id);
  const credited: DocumentLine[] = [];
  for (const note of notes) credited.push(...(await loadLines(queries, account, note.id)));
  credited.push(...linesOfRuns(lines, credited, await runCreditsOfInvoice(queries, account, id)));
  const now = parts.clock.now();
  const note = await issueInvoice(queries, account, {
    now,
    lines: chooseLines(lines, credited, chosen),
    notes: reason,
    corrects: {
      id,
      taxRate: invoice.tax_rate,
      taxRate2: invoice.tax_rate2,
      taxCents: invoice.tax_cents,
      credited,
    },
  });
  if (sumOfNotes([...notes, note]) > grossCents(invoice))
    throw conflict('The credit notes would exceed the invoice. Credit everything that is left of it instead.');
  await appendMessage(parts, queries, { account, type: 'invoice.issued', data: invoiceEventData(note) });
  // What billing runs have credited of an unpaid invoice is credit of the account, and still open on the invoice.
  const available = chosen === undefined ? await creditOf(queries, account) : 0;
  await payByNote(parts, queries, account, id, { number: note.number, cents: Math.max(available, -note.total_cents) });
  return note;
}

/** Returns true if these credit notes have credited the whole invoice. */
export function isCredited(invoice: store.Invoice, notes: readonly store.Invoice[]): boolean {
  return notes.length > 0 && sumOfNotes(notes) >= grossCents(invoice);
}

function sumOfNotes(notes: readonly Pick<store.Invoice, 'total_cents'>[]): number {
  return notes.reduce((sum, note) => sum - note.total_cents, 0);
}

function grossCents({ subtotal_cents, tax_cents, tax2_cents }: store.Invoice): number {
  return subtotal_cents + tax_cents + tax2_cents;
}

function alreadyCancelled(): ApiError {
  return new ApiError('already_exists', { message: 'This invoice is already cancelled.' });
}

/** Nobody owes an invoice that was imported as cancelled, or written off. */
async function requireOwed(queries: Queries, id: number, account: AccountId): Promise<void> {
  const invoice = (await store.invoiceFind(queries, account, id))!;
  if (invoice.status !== 'Cancelled') return;
  const isWrittenOff = (await writtenOffInvoices(queries, account)).some((lost) => lost.id === id);
  throw isWrittenOff ? conflict('This invoice was written off.') : alreadyCancelled();
}

async function loadLines(queries: Queries, account: AccountId, invoice: number): Promise<StoredLine[]> {
  const taxes = await invoiceTaxes(queries, account, invoice);
  return (await store.invoiceLines(queries, account, invoice)).map((row) => ({
    ...lineOfRow(row, taxes),
    id: row.id,
    ...(row.corrects_line_id !== null && { corrects: row.corrects_line_id }),
  }));
}
type StoredLine = DocumentLine & { readonly id: number };

/** Returns the lines of the credit note: all that is left, or as much of the chosen lines as the caller wants. */
function chooseLines(
  lines: readonly StoredLine[],
  credited: readonly DocumentLine[],
  chosen: readonly CreditedLine[] | undefined,
): DocumentLine[] {
  const restOf = (line: StoredLine): number => restOfLine(line, credited);
  if (chosen === undefined) {
    const left = lines.filter((line) => restOf(line) !== 0);
    if (left.length === 0 && credited.length > 0) throw alreadyCancelled();
    return left.map((line) => creditLine(line, restOf(line)));
  }
  if (new Set(chosen.map(({ id }) => id)).size < chosen.length) throw invalid({ lines: 'must name each line once' });
  return chosen.map(({ id, cents }) => {
    const line = lines.find((candidate) => candidate.id === id);
    if (line === undefined) throw invalid({ lines: 'must be lines of the invoice' });
    const rest = restOf(line);
    const part = cents ?? rest;
    if (part <= 0 || part > rest)
      throw invalid({ lines: `must have amounts above zero, at most ${moneyText(Math.max(0, rest))} for line ${id}` });
    return creditLine(line, part);
  });
}

function restOfLine({ id, cents: whole }: StoredLine, credited: readonly DocumentLine[]): number {
  return credited.reduce((rest, { corrects, cents }) => rest + (corrects === id ? cents : 0), whole);
}

/** Returns what billing runs have credited since, like lines of a credit note, but never more than notes have left of a line. */
function linesOfRuns(
  lines: readonly StoredLine[],
  credited: readonly DocumentLine[],
  byRuns: ReadonlyMap<number, number>,
): DocumentLine[] {
  return lines.flatMap((line) => {
    const [rest, cents = 0] = [restOfLine(line, credited), byRuns.get(line.id)];
    const part = Math.abs(cents) < Math.abs(rest) ? cents : 0 - rest;
    return cents === 0 || rest === 0 ? [] : [{ ...line, cents: part, corrects: line.id }];
  });
}

function creditLine({ id, ...line }: StoredLine, cents: number): DocumentLine {
  const share = cents === line.cents ? '' : ` (${moneyText(cents)} of ${moneyText(line.cents)})`;
  return { ...line, description: `${line.description}${share}`, cents: -cents, corrects: id };
}

/** Uses credit for what is open of the invoice that the note corrects. */
async function payByNote(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  id: number,
  note: { readonly number: string; readonly cents: number },
): Promise<void> {
  const open = (await store.invoicesOpen(queries, account)).find((candidate) => candidate.id === id);
  if (open === undefined) return;
  const now = parts.clock.now();
  const isOnlyCredited = (await store.invoicePayments(queries, account, id)).every(
    ({ method, receipt_id }) => method === creditNoteMethod && receipt_id === null,
  );
  const part = Math.min(open.open_cents, note.cents);
  await store.paymentInsert(queries, account, id, {
    amount_cents: part,
    paid_at: now,
    method: creditNoteMethod,
    reference: note.number,
    receipt_id: null,
  });
  await ledgerPost(queries, account, { at: now, kind: 'credit', invoice: id, reference: note.number }, [
    { debit: 'credit', credit: 'receivable', cents: part },
  ]);
  if (part < open.open_cents) return;
  if (isOnlyCredited) await store.invoiceSettle(queries, account, id, { status: 'Cancelled', paid_at: null });
  else await markInvoicePaid(parts, queries, account, open, now);
  await resumeIfPaid(parts, queries, account);
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
