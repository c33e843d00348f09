// Passkeys of customers and operators (WebAuthn credentials), and pending challenges.
import { sql, type Insertable, type RawBuilder, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { affectsRows, insertNew, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import { isHolder, type SignInHolder } from './people.ts';
import type { PasskeyTable, PasskeyChallengeTable } from './tables.ts';

export const passkeyTransports = jsonColumn('passkeys.transports', Type.Array(Type.String()));

export type Passkey = Selectable<PasskeyTable>;
export type PasskeyChallenge = Selectable<PasskeyChallengeTable>;

export async function passkeyList(queries: Queries, holder: SignInHolder): Promise<Passkey[]> {
  return queries.selectFrom('passkeys').selectAll().where(isHolder(holder)).orderBy('id').execute();
}

/** 1 if the operator in this column of a query has a passkey. */
export function hasPasskey(operator: 'keys.operator_id' | 'operators.id'): RawBuilder<number> {
  return sql<number>`case when exists (
    select 1 from passkeys where passkeys.operator_id = ${sql.ref(operator)}) then 1 else 0 end`;
}

export async function passkeyFind(queries: Queries, credential: string): Promise<Passkey | undefined> {
  return queries.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst();
}

/** Returns undefined if the credential exists already. */
export async function passkeyInsert(queries: Queries, passkey: Insertable<PasskeyTable>): Promise<number | undefined> {
  return (await insertNew(queries, 'passkeys', passkey, ['credential']).returning('id').executeTakeFirst())?.id;
}

/** Returns false if the counter has not increased, which happens when a key has been cloned. */
export async function passkeyUse(queries: Queries, id: number, counter: number, now: number): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'passkeys', { id })
      .set({ counter, last_used_at: now })
      .where((passkey) => passkey.or([passkey('counter', '<', counter), passkey('counter', '=', 0)]))
      .returning('id'),
  );
}

/** Returns the name of the removed passkey, or undefined if the holder has no such passkey. */
export async function passkeyRemove(queries: Queries, holder: SignInHolder, id: number): Promise<string | undefined> {
  const passkey = queries.deleteFrom('passkeys').where(isHolder(holder)).where('id', '=', id);
  return (await passkey.returning('name').executeTakeFirst())?.name;
}

export async function passkeysRemove(queries: Queries, holder: SignInHolder): Promise<void> {
  await queries.deleteFrom('passkeys').where(isHolder(holder)).execute();
}

export async function passkeyChallengeInsert(queries: Queries, challenge: PasskeyChallengeTable): Promise<void> {
  await queries.insertInto('passkey_challenges').values(challenge).execute();
}

/** Deletes the challenge, valid or not, so that it can be used only once. */
export async function passkeyChallengeTake(queries: Queries, hash: string): Promise<PasskeyChallenge | undefined> {
  return queries.deleteFrom('passkey_challenges').where('hash', '=', hash).returningAll().executeTakeFirst();
}

export async function passkeyChallengesRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
}
