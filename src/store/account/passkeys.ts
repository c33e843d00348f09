// Passkeys of customers (WebAuthn credentials), and pending challenges.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { affectsRows, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import { isPerson, type Person } from './people.ts';
import type { PasskeyTable, PasskeyChallengeTable } from './tables.ts';

export const passkeyTransports = jsonColumn('passkeys.transports', Type.Array(Type.String()));

export type Passkey = Selectable<PasskeyTable>;
export type PasskeyChallenge = Selectable<PasskeyChallengeTable>;

export async function passkeyList(queries: Queries, person: Person): Promise<Passkey[]> {
  return queries.selectFrom('passkeys').selectAll().where(isPerson(person)).orderBy('id').execute();
}

export async function passkeyFind(queries: Queries, credential: string): Promise<Passkey | undefined> {
  return queries.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst();
}

/** Returns undefined if the credential exists already. */
export async function passkeyInsert(queries: Queries, passkey: Insertable<PasskeyTable>): Promise<number | undefined> {
  const row = await queries
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
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

/** Returns the name of the removed passkey, or undefined if the person has no such passkey. */
export async function passkeyRemove(queries: Queries, person: Person, id: number): Promise<string | undefined> {
  const passkey = queries.deleteFrom('passkeys').where(isPerson(person)).where('id', '=', id);
  return (await passkey.returning('name').executeTakeFirst())?.name;
}

export async function passkeysRemove(queries: Queries, person: Person): Promise<void> {
  await queries.deleteFrom('passkeys').where(isPerson(person)).execute();
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
