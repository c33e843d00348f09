// Money that came in. Each receipt is there once, by the way it came and its reference there, however often it is told.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface ReceiptTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  method: string;
  reference: string;
  amount_cents: number;
  paid_at: number;
}
export type Receipt = Selectable<ReceiptTable>;
export type NewReceipt = Omit<Insertable<ReceiptTable>, 'account_id'>;

/** The new receipt's id; undefined where this reference has been received before. */
export async function receiptInsert(
  queries: Queries,
  account: AccountId,
  receipt: NewReceipt,
): Promise<number | undefined> {
  const row = await queries
    .insertInto('receipts')
    .values({ ...receipt, account_id: account })
    .onConflict((conflict) => conflict.columns(['method', 'reference']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

export async function receiptFind(queries: Queries, method: string, reference: string): Promise<Receipt | undefined> {
  return queries
    .selectFrom('receipts')
    .selectAll()
    .where('method', '=', method)
    .where('reference', '=', reference)
    .executeTakeFirst();
}
