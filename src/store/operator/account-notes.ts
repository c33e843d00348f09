// Staff's notes on customers.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { AccountNoteTable } from './tables.ts';

export type AccountNote = Selectable<AccountNoteTable>;

export async function noteInsert(queries: Queries, note: Insertable<AccountNoteTable>): Promise<number> {
  const { id } = await queries.insertInto('account_notes').values(note).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns the newest first. */
export async function noteList(
  queries: Queries,
  account: AccountId,
  { limit, before }: { readonly limit: number; readonly before?: number | undefined },
): Promise<AccountNote[]> {
  let query = selectWhere(queries, 'account_notes', { account_id: account }).selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function noteFind(queries: Queries, id: number): Promise<AccountNote | undefined> {
  return selectWhere(queries, 'account_notes', { id }).selectAll().executeTakeFirst();
}

export async function noteUpdate(
  queries: Queries,
  id: number,
  change: Pick<AccountNote, 'text' | 'changed_at'>,
): Promise<void> {
  await updateWhere(queries, 'account_notes', { id }).set(change).execute();
}

/** Returns false if it was deleted already. */
export async function noteDelete(queries: Queries, id: number): Promise<boolean> {
  return affectsRows(queries.deleteFrom('account_notes').where('id', '=', id).returning('id'));
}
