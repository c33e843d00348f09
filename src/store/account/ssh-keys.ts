// SSH keys that accounts keep for installations.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, countRows, deleteWhere, insertNew, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { SshKeyTable } from './tables.ts';

export type SshKey = Selectable<SshKeyTable>;

export async function sshKeyList(queries: Queries, account: AccountId): Promise<SshKey[]> {
  return selectWhere(queries, 'ssh_keys', { account_id: account }).selectAll().orderBy('id').execute();
}

export async function sshKeyCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'ssh_keys', { account_id: account }));
}

/** Returns undefined if the account has the key already. */
export async function sshKeyInsert(queries: Queries, key: Insertable<SshKeyTable>): Promise<SshKey | undefined> {
  return insertNew(queries, 'ssh_keys', key, ['account_id', 'fingerprint']).returningAll().executeTakeFirst();
}

export async function sshKeyRemove(queries: Queries, account: AccountId, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'ssh_keys', { account_id: account, id }).returning('id'));
}
