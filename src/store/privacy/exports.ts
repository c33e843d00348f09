// Archives of everything about an account. Their content is in pieces, so that neither writing nor sending one needs its
// size in memory.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { affectsRows, selectWhere, updateWhere, deleteWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { AccountExportTable } from './tables.ts';

export type AccountExport = Selectable<AccountExportTable>;

export async function exportInsert(queries: Queries, row: Insertable<AccountExportTable>): Promise<number> {
  const { id } = await queries.insertInto('account_exports').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function exportLoad(queries: Queries, id: number): Promise<AccountExport | undefined> {
  return selectWhere(queries, 'account_exports', { id }).selectAll().executeTakeFirst();
}

/** Newest first. */
export async function exportList(queries: Queries, account: AccountId): Promise<AccountExport[]> {
  return selectWhere(queries, 'account_exports', { account_id: account }).selectAll().orderBy('id', 'desc').execute();
}

export async function exportUpdate(
  queries: Queries,
  id: number,
  change: Updateable<AccountExportTable>,
): Promise<void> {
  await updateWhere(queries, 'account_exports', { id }).set(change).execute();
}

export async function exportPartsRemove(queries: Queries, id: number): Promise<void> {
  await deleteWhere(queries, 'account_export_parts', { export_id: id }).execute();
}

export async function exportPartInsert(queries: Queries, id: number, position: number, content: Buffer): Promise<void> {
  await queries.insertInto('account_export_parts').values({ export_id: id, position, content }).execute();
}

export async function exportPart(queries: Queries, id: number, position: number): Promise<Buffer | undefined> {
  const row = await selectWhere(queries, 'account_export_parts', { export_id: id, position })
    .select('content')
    .executeTakeFirst();
  return row?.content;
}

/** Deletes one expired archive with its content, and returns false if there was none. */
export async function exportRemoveExpired(queries: Queries, now: number): Promise<boolean> {
  const expired = await queries
    .selectFrom('account_exports')
    .select('id')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(1)
    .executeTakeFirst();
  if (expired === undefined) return false;
  return affectsRows(deleteWhere(queries, 'account_exports', { id: expired.id }).returning('id'));
}
