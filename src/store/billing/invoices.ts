// Invoices, their numbers, lines and payments, and the notices to customers who have not paid.
import { sql, type Insertable, type Selectable } from 'kysely';
import type { InvoiceStatus } from '#contract/shapes/account.ts';
import { prepared, preparedRows } from '../engine/prepared.ts';
import { affectsRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import { startsWith } from '../engine/search.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { InvoiceLineTable, InvoiceNoticeTable, InvoiceTable, PaymentTable } from './tables.ts';

export type Invoice = Selectable<InvoiceTable>;
export type InvoiceLine = Selectable<InvoiceLineTable>;
export type Payment = Selectable<PaymentTable>;
export type NewInvoice = Omit<Insertable<InvoiceTable>, 'account_id'>;
export type NewLine = Omit<Insertable<InvoiceLineTable>, 'account_id' | 'invoice_id'>;
export type NewPayment = Omit<Insertable<PaymentTable>, 'account_id' | 'invoice_id'>;

/** What of an invoice is not paid. */
export const unpaidCents = sql<number>`total_cents - (select coalesce(sum(amount_cents), 0) from payments
  where payments.invoice_id = invoices.id)`;
const openCents = unpaidCents.as('open_cents');

/** `today` decides which unpaid invoices are overdue. */
export async function invoiceList(
  queries: Queries,
  account: AccountId,
  today: number,
  status: InvoiceStatus | undefined,
): Promise<(Invoice & { readonly open_cents: number })[]> {
  let query = queries.selectFrom('invoices').selectAll().select(openCents).where('account_id', '=', account);
  if (status === 'Overdue') query = query.where('status', '=', 'Unpaid').where('due_day', '<', today);
  else if (status === 'Unpaid') query = query.where('status', '=', 'Unpaid').where('due_day', '>=', today);
  else if (status !== undefined) query = query.where('status', '=', status);
  return query.orderBy('id').execute();
}

export interface NewestPage {
  readonly limit: number;
  readonly before: number | undefined;
}
export interface InvoiceFilter {
  readonly account: AccountId | undefined;
  readonly status: InvoiceStatus | undefined;
  /** The beginning of the number. */
  readonly number: string | undefined;
  /** Days of issue; both are included. */
  readonly from: number | undefined;
  readonly until: number | undefined;
}
/** Returns a page of the invoices of one account or all, newest first. `today` decides which are overdue. */
export async function invoicePage(
  queries: Queries,
  { account, status, number, from, until }: InvoiceFilter,
  { limit, before = Number.MAX_SAFE_INTEGER }: NewestPage,
  today: number,
): Promise<(Invoice & { readonly open_cents: number })[]> {
  let query = queries.selectFrom('invoices').select('id').where('id', '<', before);
  if (account !== undefined) query = query.where('account_id', '=', account);
  if (status !== undefined) query = query.where('status', '=', status === 'Overdue' ? 'Unpaid' : status);
  if (status === 'Overdue') query = query.where('due_day', '<', today);
  if (status === 'Unpaid') query = query.where('due_day', '>=', today);
  if (number !== undefined) query = query.where(startsWith(queries, 'upper(number)', number.toUpperCase()));
  if (from !== undefined) query = query.where('day', '>=', from);
  if (until !== undefined) query = query.where('day', '<=', until);
  // The amounts are computed for the page only, and not for all invoices that are sorted.
  const ids = await query.orderBy('id', 'desc').limit(limit).execute();
  if (ids.length === 0) return [];
  const page = queries.selectFrom('invoices').selectAll().select(openCents);
  const chosen = ids.map(({ id }) => id);
  return page.where('id', 'in', chosen).orderBy('id', 'desc').execute();
}

/** Returns a page of what was paid on the account's invoices, newest first. */
export async function paymentPage(
  queries: Queries,
  account: AccountId,
  { limit, before }: NewestPage,
): Promise<(Payment & { readonly number: string })[]> {
  let query = queries
    .selectFrom('payments')
    .innerJoin('invoices', 'invoices.id', 'payments.invoice_id')
    .selectAll('payments')
    .select('invoices.number')
    .where('payments.account_id', '=', account);
  if (before !== undefined) query = query.where('payments.id', '<', before);
  return query.orderBy('payments.id', 'desc').limit(limit).execute();
}

/** Finds an invoice of any account. */
export async function invoiceLoad(queries: Queries, id: number): Promise<Invoice | undefined> {
  return selectWhere(queries, 'invoices', { id }).selectAll().executeTakeFirst();
}

export async function invoiceFind(queries: Queries, account: AccountId, id: number): Promise<Invoice | undefined> {
  return selectWhere(queries, 'invoices', { account_id: account, id }).selectAll().executeTakeFirst();
}

const idByNumber = prepared((queries: Queries, values: { number: string }) =>
  queries.selectFrom('invoices').select('id').where('number', '=', values.number),
);
export async function isInvoiceNumberTaken(queries: Queries, number: string): Promise<boolean> {
  return (await idByNumber(queries, { number })).length > 0;
}

const takeNumber = prepared((queries: Queries, values: { series: string }) =>
  queries
    .insertInto('invoice_numbers')
    .values({ series: values.series, last: 1 })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((set) => ({ last: set('invoice_numbers.last', '+', 1) })),
    )
    .returning('last'),
);
/**
 * Takes the next number of a series, without gaps. The counter is incremented in the transaction that issues the
 * invoice: others that issue in the same series wait for it, and a failed one returns its number.
 */
export async function invoiceNumberTake(queries: Queries, series: string): Promise<number> {
  return (await takeNumber(queries, { series }))[0]!.last;
}

export async function invoiceLines(queries: Queries, account: AccountId, invoice: number): Promise<InvoiceLine[]> {
  return selectWhere(queries, 'invoice_lines', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('id')
    .execute();
}

export async function invoicePayments(queries: Queries, account: AccountId, invoice: number): Promise<Payment[]> {
  return selectWhere(queries, 'payments', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('id')
    .execute();
}

const insert = preparedRows((queries: Queries, invoices: readonly Insertable<InvoiceTable>[]) =>
  queries.insertInto('invoices').values(invoices).returning('id'),
);
const insertLines = preparedRows((queries: Queries, lines: readonly Insertable<InvoiceLineTable>[]) =>
  queries.insertInto('invoice_lines').values(lines),
);
export async function invoiceInsert(
  queries: Queries,
  account: AccountId,
  invoice: NewInvoice,
  lines: readonly NewLine[],
): Promise<number> {
  const [row] = await insert(queries, [{ ...invoice, account_id: account }]);
  const { id } = row!;
  const rows = lines.map((line) => ({ ...line, account_id: account, invoice_id: id }));
  if (rows.length > 0) await insertLines(queries, rows);
  return id;
}

export async function paymentInsert(
  queries: Queries,
  account: AccountId,
  invoice: number,
  payment: NewPayment,
): Promise<void> {
  const row = { ...payment, account_id: account, invoice_id: invoice };
  await queries.insertInto('payments').values(row).execute();
}

export type OpenInvoice = Pick<Invoice, 'id' | 'number' | 'total_cents' | 'due_day'> & { readonly open_cents: number };
const open = prepared((queries: Queries, values: { account: AccountId }) =>
  selectWhere(queries, 'invoices', { account_id: values.account })
    .select(['id', 'number', 'total_cents', 'due_day', openCents])
    // A literal, because there is an index for these rows only: SQLite would plan the query again for each value.
    .where('status', '=', sql.lit('Unpaid'))
    .orderBy('due_day')
    .orderBy('id'),
);
/** Returns unpaid invoices, oldest first. */
export function invoicesOpen(queries: Queries, account: AccountId): Promise<OpenInvoice[]> {
  return open(queries, { account });
}

/** Sets the status, which is the only thing about an issued invoice that may change. */
export async function invoiceSettle(
  queries: Queries,
  account: AccountId,
  id: number,
  settled: { readonly status: 'Paid' | 'Cancelled'; readonly paid_at: number | null },
): Promise<void> {
  await updateWhere(queries, 'invoices', { account_id: account, id, status: 'Unpaid' }).set(settled).execute();
}

/** Returns the numbers of these invoices of the account, by id. */
export async function invoiceNumbers(
  queries: Queries,
  account: AccountId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await selectWhere(queries, 'invoices', { account_id: account })
    .select(['id', 'number'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** Makes a paid invoice, or one that was written off in part, unpaid again, after its payment was taken back. */
export async function invoiceReopen(queries: Queries, account: AccountId, id: number): Promise<void> {
  await updateWhere(queries, 'invoices', { account_id: account, id })
    .where('status', '<>', 'Unpaid')
    .set({ status: 'Unpaid', paid_at: null })
    .execute();
}

/** Marks an invoice as paid that was written off. */
export async function invoiceRecover(queries: Queries, account: AccountId, id: number, paidAt: number): Promise<void> {
  await updateWhere(queries, 'invoices', { account_id: account, id, status: 'Cancelled' })
    .set({ status: 'Paid', paid_at: paidAt })
    .execute();
}

/** Returns how much of a receipt has paid which invoice, the newest invoice first. */
export async function receiptParts(
  queries: Queries,
  account: AccountId,
  receipt: number,
): Promise<{ invoice_id: number; cents: number }[]> {
  return selectWhere(queries, 'payments', { account_id: account, receipt_id: receipt })
    .select(['invoice_id', (select) => select.fn.sum<number>('amount_cents').as('cents')])
    .groupBy('invoice_id')
    .orderBy('invoice_id', 'desc')
    .execute();
}

/** Finds an invoice of any account by its number, for banks and staff. */
export async function invoiceByNumber(queries: Queries, number: string): Promise<Invoice | undefined> {
  return queries.selectFrom('invoices').selectAll().where('number', '=', number).executeTakeFirst();
}

/** Returns unpaid invoices of all accounts that were due before this day, ordered by id. */
export async function invoicesDueBefore(
  queries: Queries,
  day: number,
  after: number,
  limit: number,
): Promise<(OpenInvoice & { account_id: AccountId })[]> {
  return selectWhere(queries, 'invoices', { status: 'Unpaid' })
    .select(['id', 'account_id', 'number', 'total_cents', 'due_day', openCents])
    .where('due_day', '<', day)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the credit notes for this invoice. */
export async function invoiceCorrections(queries: Queries, account: AccountId, id: number): Promise<Invoice[]> {
  return selectWhere(queries, 'invoices', { account_id: account, corrects_id: id }).selectAll().execute();
}

/** Returns unpaid invoices of all accounts, to match incoming payments. */
export async function invoicesUnpaid(queries: Queries): Promise<Pick<Invoice, 'number' | 'account_id'>[]> {
  return queries.selectFrom('invoices').select(['number', 'account_id']).where('status', '=', 'Unpaid').execute();
}

/** Records a notice, and what follows from it, which happens once. Returns false if it was sent before. */
export async function noticeInsert(queries: Queries, notice: InvoiceNoticeTable): Promise<boolean> {
  return affectsRows(insertNew(queries, 'invoice_notices', notice, ['invoice_id', 'kind']).returning('kind'));
}

/** Lets what followed from a notice happen again. */
export async function noticeRemove(queries: Queries, account: AccountId, invoice: number, kind: string): Promise<void> {
  await deleteWhere(queries, 'invoice_notices', { account_id: account, invoice_id: invoice, kind }).execute();
}

/** Returns the notices of these invoices, with their times, in order. */
export async function noticeList(
  queries: Queries,
  invoices: readonly number[],
): Promise<Pick<InvoiceNoticeTable, 'invoice_id' | 'kind' | 'at'>[]> {
  const notices = queries.selectFrom('invoice_notices').select(['invoice_id', 'kind', 'at']);
  return notices.where('invoice_id', 'in', invoices).orderBy('at').execute();
}

/** Returns the notices of these invoices, each as `id kind`. */
export async function noticesOf(queries: Queries, invoices: readonly number[]): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectFrom('invoice_notices')
    .select(['invoice_id', 'kind'])
    .where('invoice_id', 'in', invoices)
    .execute();
  return new Set(rows.map(({ invoice_id, kind }) => `${invoice_id} ${kind}`));
}
