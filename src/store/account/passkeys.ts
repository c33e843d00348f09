// Passkeys of customers (WebAuthn credentials), and the challenges that are out to be answered by one.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import { ofPerson, type Person } from './people.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface PasskeyTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  contact_id: number | null;
  /** The authenticator's own name for it, in base64url; so are the next two. */
  credential: string;
  public_key: string;
  /** The same for all passkeys of one person; it says nothing of him. */
  user_handle: string;
  /** How often it was used, by its own count; 0 where it does not count. */
  counter: number;
  /** JSON: how a browser reaches the authenticator. */
  transports: string;
  /** The host that it was made for, and the only one where it works. */
  rp_id: string;
  name: string;
  created_at: number;
  last_used_at: number | null;
}
export type Passkey = Selectable<PasskeyTable>;

export interface PasskeyChallengeTable {
  /** SHA-256 of the challenge, in hex. */
  hash: string;
  /** Who is to make a passkey with it; null where somebody unknown is to sign in. */
  account_id: AccountId | null;
  contact_id: number | null;
  user_handle: string | null;
  expires_at: number;
}
export type PasskeyChallenge = Selectable<PasskeyChallengeTable>;

export async function passkeyList(queries: Queries, person: Person): Promise<Passkey[]> {
  return queries.selectFrom('passkeys').selectAll().where(ofPerson(person)).orderBy('id').execute();
}

export async function passkeyFind(queries: Queries, credential: string): Promise<Passkey | undefined> {
  return queries.selectFrom('passkeys').selectAll().where('credential', '=', credential).executeTakeFirst();
}

/** Undefined where the credential is known already. */
export async function passkeyInsert(queries: Queries, passkey: Insertable<PasskeyTable>): Promise<number | undefined> {
  const row = await queries
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.column('credential').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** False where its count was already as far, as it is when two have the same key. */
export async function passkeyUse(queries: Queries, id: number, counter: number, now: number): Promise<boolean> {
  const row = await queries
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where((passkey) => passkey.or([passkey('counter', '<', counter), passkey('counter', '=', 0)]))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function passkeyRemove(queries: Queries, person: Person, id: number): Promise<boolean> {
  const row = await queries
    .deleteFrom('passkeys')
    .where(ofPerson(person))
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function passkeysRemove(queries: Queries, person: Person): Promise<void> {
  await queries.deleteFrom('passkeys').where(ofPerson(person)).execute();
}

export async function passkeyChallengeInsert(queries: Queries, challenge: PasskeyChallengeTable): Promise<void> {
  await queries.insertInto('passkey_challenges').values(challenge).execute();
}

/** Takes it out of the world, whether it is still good or not: nobody tries twice. */
export async function passkeyChallengeTake(queries: Queries, hash: string): Promise<PasskeyChallenge | undefined> {
  return queries.deleteFrom('passkey_challenges').where('hash', '=', hash).returningAll().executeTakeFirst();
}

export async function passkeyChallengesRemoveExpired(queries: Queries, now: number): Promise<void> {
  await queries.deleteFrom('passkey_challenges').where('expires_at', '<', now).execute();
}
