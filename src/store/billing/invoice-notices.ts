// What a customer has been told of an unpaid invoice, and what has followed from it: each once.
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface InvoiceNoticeTable {
  invoice_id: number;
  /** `overdue`, `reminder 1`, `late fee`. */
  kind: string;
  account_id: AccountId;
  at: number;
}

/** False where it was given before. */
export async function noticeInsert(queries: Queries, notice: InvoiceNoticeTable): Promise<boolean> {
  const row = await queries
    .insertInto('invoice_notices')
    .values(notice)
    .onConflict((conflict) => conflict.columns(['invoice_id', 'kind']).doNothing())
    .returning('kind')
    .executeTakeFirst();
  return row !== undefined;
}

/** What has been given of these invoices, each as `id kind`. */
export async function noticesOf(queries: Queries, invoices: readonly number[]): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectFrom('invoice_notices')
    .select(['invoice_id', 'kind'])
    .where('invoice_id', 'in', invoices)
    .execute();
  return new Set(rows.map(({ invoice_id, kind }) => `${invoice_id} ${kind}`));
}
