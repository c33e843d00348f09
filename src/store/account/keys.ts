// API keys and sign-in sessions, which are keys that expire.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { Type } from 'typebox';
import { ifChanged } from '../engine/if-changed.ts';
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import { isPerson, type Person } from './people.ts';
import type { KeyTable } from './tables.ts';

export const keyScopes = jsonColumn('keys.scopes', Type.Array(Type.String()));
/** Networks; an empty list allows all. */
export const keyAllow = jsonColumn('keys.allow', Type.Array(Type.String()));

export type Key = Selectable<KeyTable>;
export type NewKey = Insertable<KeyTable>;

const credentialByPrintableId = prepared((queries: Queries, values: { printableId: string }) =>
  queries
    .selectFrom('keys')
    .leftJoin('accounts', 'accounts.id', 'keys.account_id')
    .leftJoin('contacts', 'contacts.id', 'keys.contact_id')
    .leftJoin('operators', 'operators.id', 'keys.operator_id')
    .selectAll('keys')
    .select([
      'accounts.status as account_status',
      'contacts.subaccount',
      'contacts.permissions',
      'contacts.status as contact_status',
      'operators.name as operator_name',
      'operators.role as operator_person_role',
      'operators.status as operator_status',
      'operators.totp_since as operator_totp',
    ])
    .where('keys.printable_id', '=', values.printableId),
);
export type Credential = Awaited<ReturnType<typeof credentialByPrintableId>>[number];
/** Returns the key with what its account and person currently allow. */
export async function credentialFind(queries: Queries, printableId: string): Promise<Credential | undefined> {
  return (await credentialByPrintableId(queries, { printableId }))[0];
}

export async function keyList(queries: Queries, account: AccountId): Promise<Key[]> {
  return queries
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', account)
    .where('kind', '=', 'key')
    .orderBy('id')
    .execute();
}

/** Counts the keys that are valid now. */
export async function keyCount(queries: Queries, account: AccountId, now: number): Promise<number> {
  const { count } = await queries
    .selectFrom('keys')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('account_id', '=', account)
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null)
    .where((expression) => expression.or([expression('expires_at', 'is', null), expression('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function keyFind(queries: Queries, account: AccountId, id: number): Promise<Key | undefined> {
  return queries
    .selectFrom('keys')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function keyInsert(queries: Queries, key: NewKey): Promise<number> {
  const row = await queries.insertInto('keys').values(key).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

/**
 * Creates or updates a key of the site file, identified by its printable id. A secret that differs from the one the
 * file last set replaces the current one, and also reactivates a revoked key.
 */
export async function keyPut(queries: Queries, key: NewKey): Promise<void> {
  const { created_at: _, printable_id: __, secret_hash, ...changing } = key;
  const ifNewInFile = <T>(brought: T, column: 'secret_hash' | 'previous_hash' | 'previous_until' | 'revoked_at') =>
    sql<T>`case when keys.site_hash is distinct from excluded.site_hash then ${brought} else ${sql.ref(`keys.${column}`)} end`;
  await queries
    .insertInto('keys')
    .values({ ...key, site_hash: secret_hash })
    .onConflict((conflict) =>
      conflict
        .column('printable_id')
        .doUpdateSet({
          ...changing,
          site_hash: secret_hash,
          secret_hash: ifNewInFile(secret_hash, 'secret_hash'),
          previous_hash: ifNewInFile(null, 'previous_hash'),
          previous_until: ifNewInFile(null, 'previous_until'),
          revoked_at: ifNewInFile(null, 'revoked_at'),
        })
        .where(ifChanged('keys', { ...changing, site_hash: secret_hash })),
    )
    .execute();
}

/** Revokes a key that was removed from the site file. */
export async function keyRevoke(queries: Queries, printableId: string, now: number): Promise<void> {
  await queries
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('printable_id', '=', printableId)
    .where('revoked_at', 'is', null)
    .execute();
}

export async function keyUpdate(
  queries: Queries,
  account: AccountId,
  id: number,
  change: Updateable<KeyTable>,
): Promise<boolean> {
  const row = await queries
    .updateTable('keys')
    .set(change)
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function keyRecordUse(queries: Queries, id: number, at: number, address: string): Promise<void> {
  await queries
    .updateTable('keys')
    .set({ last_used_at: at, last_used_address: address })
    .where('id', '=', id)
    .execute();
}

/** Deletes sessions that expired before this time; nothing refers to them any more. */
export async function keyRemoveEndedSessions(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('keys').where('kind', '=', 'session').where('expires_at', '<', before).execute();
}

/** Ends a person's sessions, for example after a password change, except the given one. */
export async function keysEndSessions(queries: Queries, person: Person, now: number, but?: number): Promise<void> {
  let query = queries
    .updateTable('keys')
    .set({ revoked_at: now })
    .where(isPerson(person))
    .where('kind', '=', 'session')
    .where('revoked_at', 'is', null);
  if (but !== undefined) query = query.where('id', '<>', but);
  await query.execute();
}

export async function operatorKeyRevoke(queries: Queries, id: number, now: number): Promise<void> {
  await queries
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('account_id', 'is', null)
    .execute();
}

/** Ends an operator's sessions, except the given one. */
export async function operatorSessionsEnd(
  queries: Queries,
  operator: number,
  now: number,
  but: number | undefined,
): Promise<void> {
  let query = queries
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('operator_id', '=', operator)
    .where('revoked_at', 'is', null);
  if (but !== undefined) query = query.where('id', '<>', but);
  await query.execute();
}
