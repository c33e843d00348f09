// Notices to customers about unpaid invoices, and their consequences: each happens once.
import type { Queries } from '../store.ts';
import type { InvoiceNoticeTable } from './tables.ts';

/** Returns false if the notice was sent before. */
export async function noticeInsert(queries: Queries, notice: InvoiceNoticeTable): Promise<boolean> {
  const row = await queries
    .insertInto('invoice_notices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'kind']).doNothing())
    .returning('kind')
    .executeTakeFirst();
  return row !== undefined;
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
