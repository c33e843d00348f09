// Money received. A receipt is unique by its method and reference, however often it is reported.
import type { Insertable, Selectable } from 'kysely';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ReceiptTable } from './tables.ts';

export type Receipt = Selectable<ReceiptTable>;
export type NewReceipt = Omit<Insertable<ReceiptTable>, 'account_id'>;

/** Returns the new receipt's id, or undefined if the reference was received before. */
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
  return selectWhere(queries, 'receipts', { method, reference }).selectAll().executeTakeFirst();
}
