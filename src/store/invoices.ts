// Invoices, their lines and what was paid on them.
import type { Insertable, Selectable } from 'kysely';
import type { InvoiceStatus } from '#contract/shapes/account.ts';
import type { Queries } from './store.ts';
import type { AccountId, InvoiceLineTable, InvoiceTable, PaymentTable } from './tables.ts';

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

export async function invoiceNumberTaken(queries: Queries, number: string): Promise<boolean> {
  const row = await queries.selectFrom('invoices').select('id').where('number', '=', number).executeTakeFirst();
  return row !== undefined;
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

export async function invoiceInsert(
  queries: Queries,
  account: AccountId,
  invoice: NewInvoice,
  lines: readonly NewLine[],
  payments: readonly NewPayment[],
): Promise<number> {
  const { id } = await queries
    .insertInto('invoices')
    .values({ ...invoice, account_id: account })
    .returning('id')
    .executeTakeFirstOrThrow();
  const owner = { account_id: account, invoice_id: id };
  if (lines.length > 0)
    await queries
      .insertInto('invoice_lines')
      .values(lines.map((line) => ({ ...line, ...owner })))
      .execute();
  if (payments.length > 0)
    await queries
      .insertInto('payments')
      .values(payments.map((payment) => ({ ...payment, ...owner })))
      .execute();
  return id;
}
