// Customers' TSIG keys: rows of `keys` with a sealed secret.
import { deleteWhere, countRows, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { Key } from '../account/keys.ts';

const tsigKeysOf = (queries: Queries, account: AccountId) =>
  selectWhere(queries, 'keys', { account_id: account, kind: 'tsig' });

export async function tsigKeyList(queries: Queries, account: AccountId): Promise<Key[]> {
  return tsigKeysOf(queries, account).selectAll().orderBy('id').execute();
}

export async function tsigKeyCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(tsigKeysOf(queries, account));
}

export async function tsigKeyFind(queries: Queries, account: AccountId, id: number): Promise<Key | undefined> {
  return tsigKeysOf(queries, account).where('id', '=', id).selectAll().executeTakeFirst();
}

export async function tsigKeyRemove(queries: Queries, account: AccountId, id: number): Promise<void> {
  await deleteWhere(queries, 'keys', { account_id: account, id, kind: 'tsig' }).execute();
}
