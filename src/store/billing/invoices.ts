// Invoices, their lines and payments.
import { sql, type Insertable, type Selectable } from 'kysely';
import type { InvoiceStatus } from '#contract/shapes/account.ts';
import { prepared, preparedChange, preparedRows } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { InvoiceLineTable, InvoiceTable, PaymentTable } from './tables.ts';

export type Invoice = Selectable<InvoiceTable>;
export type InvoiceLine = Selectable<InvoiceLineTable>;
export type Payment = Selectable<PaymentTable>;
export type NewInvoice = Omit<Insertable<InvoiceTable>, 'account_id'>;
export type NewLine = Omit<Insertable<InvoiceLineTable>, 'account_id' | 'invoice_id'>;
export type NewPayment = Omit<Insertable<PaymentTable>, 'account_id' | 'invoice_id'>;

/** `today` decides which unpaid invoices are overdue. */
export async function invoiceList(
  queries: Queries,
  account: AccountId,
  today: number,
  status: InvoiceStatus | undefined,
): Promise<Invoice[]> {
  let query = queries.selectFrom('invoices').selectAll().where('account_id', '=', account);
  if (status === 'Overdue') query = query.where('status', '=', 'Unpaid').where('due_day', '<', today);
  else if (status === 'Unpaid') query = query.where('status', '=', 'Unpaid').where('due_day', '>=', today);
  else if (status !== undefined) query = query.where('status', '=', status);
  return query.orderBy('id').execute();
}

export async function invoiceFind(queries: Queries, account: AccountId, id: number): Promise<Invoice | undefined> {
  return queries
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

const idByNumber = prepared((queries: Queries, values: { number: string }) =>
  queries.selectFrom('invoices').select('id').where('number', '=', values.number),
);
export async function isInvoiceNumberTaken(queries: Queries, number: string): Promise<boolean> {
  return (await idByNumber(queries, { number })).length > 0;
}

export async function invoiceLines(queries: Queries, account: AccountId, invoice: number): Promise<InvoiceLine[]> {
  return queries
    .selectFrom('invoice_lines')
    .selectAll()
    .where('account_id', '=', account)
    .where('invoice_id', '=', invoice)
    .orderBy('id')
    .execute();
}

export async function invoicePayments(queries: Queries, account: AccountId, invoice: number): Promise<Payment[]> {
  return queries
    .selectFrom('payments')
    .selectAll()
    .where('account_id', '=', account)
    .where('invoice_id', '=', invoice)
    .orderBy('id')
    .execute();
}

const insert = preparedChange((queries: Queries, invoice: Insertable<InvoiceTable>) =>
  queries.insertInto('invoices').values(invoice).returning('id'),
);
const insertLines = preparedRows((queries: Queries, lines: readonly Insertable<InvoiceLineTable>[]) =>
  queries.insertInto('invoice_lines').values(
    lines.map(({ account_id, invoice_id, type, service_id, description, amount_cents, taxed }) => ({
      account_id,
      invoice_id,
      type,
      service_id,
      description,
      amount_cents,
      taxed,
    })),
  ),
);
export async function invoiceInsert(
  queries: Queries,
  account: AccountId,
  invoice: NewInvoice,
  lines: readonly NewLine[],
): Promise<number> {
  const [row] = await insert(queries, { ...invoice, account_id: account }, {});
  const { id } = row!;
  if (lines.length > 0)
    await insertLines(
      queries,
      lines.map((line) => ({ ...line, account_id: account, invoice_id: id })),
    );
  return id;
}

export async function paymentInsert(
  queries: Queries,
  account: AccountId,
  invoice: number,
  payment: NewPayment,
): Promise<void> {
  await queries
    .insertInto('payments')
    .values({ ...payment, account_id: account, invoice_id: invoice })
    .execute();
}

export interface OpenInvoice {
  readonly id: number;
  readonly number: string;
  readonly total_cents: number;
  readonly due_day: number;
  readonly open_cents: number;
}
/** Returns unpaid invoices, oldest first. */
export async function invoicesOpen(queries: Queries, account: AccountId): Promise<OpenInvoice[]> {
  return queries
    .selectFrom('invoices')
    .select(['id', 'number', 'total_cents', 'due_day', openCents])
    .where('account_id', '=', account)
    .where('status', '=', 'Unpaid')
    .orderBy('due_day')
    .orderBy('id')
    .execute();
}
const openCents = sql<number>`total_cents - (select coalesce(sum(amount_cents), 0) from payments
  where payments.invoice_id = invoices.id)`.as('open_cents');

/** Sets the status, which is the only thing about an issued invoice that may change. */
export async function invoiceSettle(
  queries: Queries,
  account: AccountId,
  id: number,
  settled: { readonly status: 'Paid' | 'Cancelled'; readonly paid_at: number | null },
): Promise<void> {
  await queries
    .updateTable('invoices')
    .set(settled)
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', '=', 'Unpaid')
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
  return queries
    .selectFrom('invoices')
    .select(['id', 'account_id', 'number', 'total_cents', 'due_day', openCents])
    .where('status', '=', 'Unpaid')
    .where('due_day', '<', day)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the credit notes for this invoice. */
export async function invoiceCorrections(queries: Queries, account: AccountId, id: number): Promise<Invoice[]> {
  return queries
    .selectFrom('invoices')
    .selectAll()
    .where('account_id', '=', account)
    .where('corrects_id', '=', id)
    .execute();
}

/** Returns unpaid invoices of all accounts, to match incoming payments. */
export async function invoicesUnpaid(queries: Queries): Promise<Pick<Invoice, 'number' | 'account_id'>[]> {
  return queries.selectFrom('invoices').select(['number', 'account_id']).where('status', '=', 'Unpaid').execute();
}
