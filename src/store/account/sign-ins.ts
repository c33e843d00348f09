// Email addresses that people sign in with, and their credentials.
import { sql, type Insertable } from 'kysely';
import { preparedRows, runInBatches } from '../engine/prepared.ts';
import { affectsRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { isKnownNetwork } from './known-networks.ts';
import { isPerson, type Person } from './people.ts';
import type { SignInTable } from './tables.ts';

export interface SignIn extends Person {
  readonly email: string;
  readonly password_hash: string | null;
  /** When a password that staff chose stops working; null for a password of the person's own. */
  readonly password_until: number | null;
  /** Sealed; null if TOTP is not enrolled. */
  readonly totp_secret: string | null;
  /** Null until it is confirmed. */
  readonly totp_since: number | null;
}

/** A person who signs in with an address, as seen from a network. */
export interface SignInCandidate extends SignIn {
  readonly isKnownNetwork: boolean;
}

/**
 * Returns the people who sign in with this address, of all accounts or one: the account itself or a sub-account contact.
 * Those who have done so for longest come first.
 */
export async function signInCandidates(
  queries: Queries,
  email: string,
  network: string,
  account?: AccountId,
): Promise<SignInCandidate[]> {
  let query = signIns(queries)
    .select(isKnownNetwork('sign_ins', network).as('known'))
    .where('sign_ins.email', '=', email.toLowerCase())
    .orderBy((row) => row.case().when('accounts.status', '=', 'Closed').then(1).else(0).end())
    .orderBy('sign_ins.since')
    .orderBy('sign_ins.account_id');
  if (account !== undefined) query = query.where('sign_ins.account_id', '=', account);
  return (await query.execute()).map(({ known, ...person }) => ({ ...person, isKnownNetwork: known === 1 }));
}

/** Returns undefined if the person may no longer sign in. */
export async function signInOf(queries: Queries, { account_id, contact_id }: Person): Promise<SignIn | undefined> {
  return signIns(queries)
    .where('sign_ins.account_id', '=', account_id)
    .where('sign_ins.contact_id', contact_id === null ? 'is' : '=', contact_id)
    .executeTakeFirst();
}

/** One query, so that looking up a person with a second factor takes as long as looking up nobody. */
function signIns(queries: Queries) {
  return queries
    .selectFrom('sign_ins')
    .innerJoin('accounts', 'accounts.id', 'sign_ins.account_id')
    .leftJoin('contacts', 'contacts.id', 'sign_ins.contact_id')
    .leftJoin('totps', (join) =>
      join
        .onRef('totps.account_id', '=', 'sign_ins.account_id')
        .onRef('totps.contact_id', 'is not distinct from', 'sign_ins.contact_id'),
    )
    .select(['sign_ins.email', 'sign_ins.account_id', 'sign_ins.contact_id'])
    .select(['totps.secret as totp_secret', 'totps.since as totp_since'])
    .select(
      sql<
        string | null
      >`case when sign_ins.contact_id is null then accounts.password_hash else contacts.password_hash end`.as(
        'password_hash',
      ),
    )
    .select(
      sql<number | null>`case when sign_ins.contact_id is null then accounts.password_temporary_until end`.as(
        'password_until',
      ),
    );
}

/**
 * Returns false if the person has another password by now. Otherwise a change of it waits for this transaction, and then ends the
 * session that it opens.
 */
export async function passwordHold(
  queries: Queries,
  { account_id, contact_id, password_hash }: Pick<SignIn, keyof Person | 'password_hash'>,
): Promise<boolean> {
  const same = { password_hash };
  return affectsRows(
    contact_id === null
      ? updateWhere(queries, 'accounts', { id: account_id, password_hash }).set(same).returning('id')
      : updateWhere(queries, 'contacts', { account_id, id: contact_id, password_hash }).set(same).returning('id'),
  );
}

/**
 * Assigns the address to this person. Returns false if another person of the account signs in with it or, for the
 * account itself, another account that is not closed. Who uses it elsewhere makes no difference to a contact: no tenant learns of another.
 */
export async function signInPut(
  queries: Queries,
  account: AccountId,
  contact: number | null,
  email: string,
  now: number,
): Promise<boolean> {
  const address = email.toLowerCase();
  const current = await queries
    .selectFrom('sign_ins')
    .select('email')
    .where(isPerson({ account_id: account, contact_id: contact }))
    .executeTakeFirst();
  if (current?.email === address) return true;
  await signInRemove(queries, account, contact);
  if (contact === null) await ownerSignInRelease(queries, address);
  const added = await signInsAdd(queries, [{ email: address, account_id: account, contact_id: contact, since: now }]);
  return added.has(address);
}

/** Takes the address from the owner of a closed account, who may want another one. */
async function ownerSignInRelease(queries: Queries, email: string): Promise<void> {
  await deleteWhere(queries, 'sign_ins', { email, contact_id: null })
    .where('account_id', 'in', selectWhere(queries, 'accounts', { status: 'Closed' }).select('id'))
    .execute();
}

const insert = preparedRows((queries: Queries, signIns: readonly Insertable<SignInTable>[]) =>
  insertNew(queries, 'sign_ins', signIns).returning('email'),
);
/** Assigns addresses in lower case, like `signInPut`, to people who have none. Returns the assigned ones. */
export async function signInsAdd(
  queries: Queries,
  signIns: readonly Insertable<SignInTable>[],
): Promise<ReadonlySet<string>> {
  const added = await runInBatches(insert, queries, signIns, (signIn) => signIn);
  return new Set(added.map(({ email }) => email));
}

export async function signInRemove(queries: Queries, account: AccountId, contact: number | null): Promise<void> {
  await queries
    .deleteFrom('sign_ins')
    .where(isPerson({ account_id: account, contact_id: contact }))
    .execute();
}
