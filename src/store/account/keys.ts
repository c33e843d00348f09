// API keys and sign-in sessions, which are keys that expire.
import { sql, type Insertable, type Selectable, type Updateable } from 'kysely';
import { Type } from 'typebox';
import { DnsLimits, type DnsRule } from '#contract/shapes/dns-limits.ts';
import { affectsRows, countRows, ifChanged, selectWhere, updateWhere } from '../engine/rows.ts';
import { preparedRow, preparedRows, runInBatches } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import { hasPasskey } from './passkeys.ts';
import { isPerson, type Person } from './people.ts';
import type { KeyTable } from './tables.ts';

export const keyScopes = jsonColumn('keys.scopes', Type.Array(Type.String()));
/** Networks; an empty list allows all. */
export const keyAllow = jsonColumn('keys.allow', Type.Array(Type.String()));

const dnsLimits = jsonColumn('keys.dns_limits', DnsLimits);
/** Null for a key without limits. */
export const keyDnsLimits = {
  encode: (limits: readonly DnsRule[] | undefined) => (limits === undefined ? null : dnsLimits.encode(limits)),
  decode: (text: string | null): readonly DnsRule[] | undefined => (text === null ? undefined : dnsLimits.decode(text)),
};

export type Key = Selectable<KeyTable>;
export type NewKey = Insertable<KeyTable>;

const credentialByPrintableId = preparedRow((queries: Queries, values: { printableId: string }) =>
  queries
    .selectFrom('keys')
    .leftJoin('accounts', 'accounts.id', 'keys.account_id')
    .leftJoin('contacts', 'contacts.id', 'keys.contact_id')
    .leftJoin('operators', 'operators.id', 'keys.operator_id')
    .selectAll('keys')
    .select([
      'accounts.status as account_status',
      'accounts.password_temporary_until',
      'contacts.subaccount',
      'contacts.permissions',
      'contacts.services as contact_services',
      'contacts.status as contact_status',
      'operators.name as operator_name',
      'operators.role as operator_person_role',
      'operators.status as operator_status',
      'operators.totp_since as operator_totp',
    ])
    .select(hasPasskey('keys.operator_id').as('operator_passkey'))
    .where('keys.printable_id', '=', values.printableId),
);
export type Credential = NonNullable<Awaited<ReturnType<typeof credentialByPrintableId>>>;
/** Returns the key with what its account and person currently allow. */
export function credentialFind(queries: Queries, printableId: string): Promise<Credential | undefined> {
  return credentialByPrintableId(queries, { printableId });
}

export async function keyList(queries: Queries, account: AccountId): Promise<Key[]> {
  return selectWhere(queries, 'keys', { account_id: account, kind: 'key' }).selectAll().orderBy('id').execute();
}

/** Counts the keys that are valid now. */
export async function keyCount(queries: Queries, account: AccountId, now: number): Promise<number> {
  const unrevoked = selectWhere(queries, 'keys', { account_id: account, kind: 'key', revoked_at: null });
  return countRows(
    unrevoked.where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)])),
  );
}

/** Finds an API key. Sessions are not keys: whoever manages keys must not get hold of one. */
export async function keyFind(queries: Queries, account: AccountId, id: number): Promise<Key | undefined> {
  return selectWhere(queries, 'keys', { account_id: account, id, kind: 'key' }).selectAll().executeTakeFirst();
}

/** Returns the key, which nobody else changes until the transaction ends. */
export async function keyLock(queries: Queries, account: AccountId, id: number): Promise<Key | undefined> {
  return updateWhere(queries, 'keys', { account_id: account, id, kind: 'key' })
    .set((set) => ({ name: set.ref('name') }))
    .returningAll()
    .executeTakeFirst();
}

/** Finds the caller's own key or session. Keys of staff have no account. */
export async function keyOrSessionFind(
  queries: Queries,
  account: AccountId | null,
  id: number,
): Promise<Key | undefined> {
  return selectWhere(queries, 'keys', { account_id: account, id }).selectAll().executeTakeFirst();
}

export async function keyInsert(queries: Queries, key: NewKey): Promise<number> {
  const row = await queries.insertInto('keys').values(key).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

const put = preparedRows((queries: Queries, keys: readonly NewKey[]) => {
  const kept = new Set(['created_at', 'printable_id', 'secret_hash']);
  const columns = Object.keys(keys[0]!).filter((column) => !kept.has(column));
  const changing = Object.fromEntries(columns.map((column) => [column, sql.ref(`excluded.${column}`)]));
  const ifNewInFile = (column: 'secret_hash' | 'previous_hash' | 'previous_until' | 'revoked_at') =>
    sql<never>`case when keys.site_hash is distinct from excluded.site_hash then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`keys.${column}`)} end`;
  return queries
    .insertInto('keys')
    .values(keys)
    .onConflict((conflict) =>
      conflict
        .column('printable_id')
        .doUpdateSet({
          ...changing,
          secret_hash: ifNewInFile('secret_hash'),
          previous_hash: ifNewInFile('previous_hash'),
          previous_until: ifNewInFile('previous_until'),
          revoked_at: ifNewInFile('revoked_at'),
        })
        .where(ifChanged('keys', changing)),
    );
});
/**
 * Creates or updates keys of the site file, identified by their printable ids. A secret that differs from the one the
 * file last set replaces the current one, and also reactivates a revoked key.
 */
export async function keysPut(queries: Queries, keys: readonly NewKey[]): Promise<void> {
  await runInBatches(put, queries, keys, (key) => key);
}

/** Revokes a key that was removed from the site file. */
export async function keyRevoke(queries: Queries, printableId: string, now: number): Promise<void> {
  await updateWhere(queries, 'keys', { printable_id: printableId, revoked_at: null })
    .set({ revoked_at: now })
    .execute();
}

export async function keyUpdate(
  queries: Queries,
  account: AccountId,
  id: number,
  change: Updateable<KeyTable>,
): Promise<boolean> {
  const key = updateWhere(queries, 'keys', { account_id: account, id, kind: 'key', revoked_at: null });
  return affectsRows(key.set(change).returning('id'));
}

export async function sessionEnd(queries: Queries, account: AccountId, id: number, now: number): Promise<void> {
  await updateWhere(queries, 'keys', { account_id: account, id, kind: 'session' }).set({ revoked_at: now }).execute();
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
export async function keysEndSessions(queries: Queries, person: Person, now: number, except?: number): Promise<void> {
  let query = updateWhere(queries, 'keys', { kind: 'session', revoked_at: null })
    .set({ revoked_at: now })
    .where(isPerson(person));
  if (except !== undefined) query = query.where('id', '<>', except);
  await query.execute();
}

/** Returns the sessions of a person, the newest first, without those in which staff view the account. */
export async function sessionsOpen(queries: Queries, person: Person, now: number): Promise<Key[]> {
  return selectWhere(queries, 'keys', { kind: 'session', revoked_at: null, operator_id: null })
    .selectAll()
    .where(isPerson(person))
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

/** Returns false if the person has no such session. */
export async function keysEndSession(queries: Queries, person: Person, id: number, now: number): Promise<boolean> {
  const session = updateWhere(queries, 'keys', { id, kind: 'session', revoked_at: null, operator_id: null });
  return affectsRows(session.set({ revoked_at: now }).where(isPerson(person)).returning('id'));
}

/** Ends the sessions of everyone who signed in through the account's identity provider. */
export async function signOnSessionsEnd(queries: Queries, account: AccountId, now: number): Promise<void> {
  await updateWhere(queries, 'keys', { account_id: account, session_method: 'sign-on', revoked_at: null })
    .set({ revoked_at: now })
    .execute();
}

export async function operatorKeyRevoke(queries: Queries, id: number, now: number): Promise<void> {
  await updateWhere(queries, 'keys', { id, account_id: null }).set({ revoked_at: now }).execute();
}

/** Ends an operator's sessions, except the given one. */
export async function operatorSessionsEnd(
  queries: Queries,
  operator: number,
  now: number,
  except: number | undefined,
): Promise<void> {
  let query = updateWhere(queries, 'keys', { operator_id: operator, revoked_at: null }).set({ revoked_at: now });
  if (except !== undefined) query = query.where('id', '<>', except);
  await query.execute();
}
