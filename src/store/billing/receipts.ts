// Money received. A receipt is unique by its method and reference, however often it is reported.
import type { Insertable, Selectable } from 'kysely';
import { insertNew, selectWhere } from '../engine/rows.ts';
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
  const insertion = insertNew(queries, 'receipts', { ...receipt, account_id: account }, ['method', 'reference']);
  return (await insertion.returning('id').executeTakeFirst())?.id;
}

export async function receiptFind(queries: Queries, method: string, reference: string): Promise<Receipt | undefined> {
  return selectWhere(queries, 'receipts', { method, reference }).selectAll().executeTakeFirst();
}
