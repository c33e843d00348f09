// People who signed up and have no account yet, and invitations to sign up.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { SignUpStatus } from '#contract/shapes/sign-up.ts';
import { affectsRows, countRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountTermsTable, SignUpInvitationTable, SignUpProofTable, SignUpTable } from './sign-up-tables.ts';

export type SignUp = Selectable<SignUpTable>;
export type SignUpInvitation = Selectable<SignUpInvitationTable>;

/** Returns false if the proof was used before. */
export async function proofInsert(queries: Queries, proof: SignUpProofTable): Promise<boolean> {
  return affectsRows(insertNew(queries, 'sign_up_proofs', proof).returning('digest'));
}

export async function signUpInsert(queries: Queries, signUp: Insertable<SignUpTable>): Promise<number> {
  const { id } = await queries.insertInto('sign_ups').values(signUp).returning('id').executeTakeFirstOrThrow();
  return id;
}

export async function signUpFind(
  queries: Queries,
  match: Pick<SignUp, 'id'> | Pick<SignUp, 'token_hash'>,
): Promise<SignUp | undefined> {
  return selectWhere(queries, 'sign_ups', match).selectAll().executeTakeFirst();
}

export interface SignUpPage {
  readonly status: SignUpStatus | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}
/** Newest first. */
export async function signUpList(queries: Queries, { status, before, limit }: SignUpPage): Promise<SignUp[]> {
  let query = selectWhere(queries, 'sign_ups', status === undefined ? {} : { status }).selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

export async function signUpCount(queries: Queries, status: SignUpStatus): Promise<number> {
  return countRows(selectWhere(queries, 'sign_ups', { status }));
}

/** Returns how many links to this address, in lower case, have neither been used nor expired. */
export async function signUpLinkCount(queries: Queries, sign_in: string, now: number): Promise<number> {
  const links = selectWhere(queries, 'sign_ups', { sign_in, status: 'Unverified' });
  return countRows(links.where('token_hash', 'is not', null).where('expires_at', '>', now));
}

/** Changes a row that has this status. Of two at once, one gets false. */
export async function signUpChange(
  queries: Queries,
  match: Pick<SignUp, 'id' | 'status'>,
  change: Updateable<SignUpTable>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'sign_ups', match).set(change).returning('id'));
}

/** Returns and removes a row that has this status. Of two at once, one gets undefined. */
export async function signUpTake(
  queries: Queries,
  match: Pick<SignUp, 'id' | 'status'> | Pick<SignUp, 'token_hash' | 'status'>,
): Promise<SignUp | undefined> {
  return deleteWhere(queries, 'sign_ups', match).returningAll().executeTakeFirst();
}

/** Removes a person's requests, except those that were rejected, which staff can look up for a while. */
export async function signUpsRemove(queries: Queries, sign_in: string): Promise<void> {
  await deleteWhere(queries, 'sign_ups', { sign_in }).where('status', '<>', 'Rejected').execute();
}

export async function signUpsRemoveRejected(queries: Queries, sign_in: string): Promise<void> {
  await deleteWhere(queries, 'sign_ups', { sign_in, status: 'Rejected' }).execute();
}

export async function signUpsRemoveExpired(queries: Queries, now: number): Promise<void> {
  for (const table of ['sign_ups', 'sign_up_invitations', 'sign_up_proofs'] as const)
    await queries.deleteFrom(table).where('expires_at', '<', now).execute();
}

export async function invitationInsert(queries: Queries, row: Insertable<SignUpInvitationTable>): Promise<number> {
  const { id } = await queries.insertInto('sign_up_invitations').values(row).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** Returns undefined if it has been used, revoked, or has expired. */
export async function invitationFind(
  queries: Queries,
  match: Pick<SignUpInvitation, 'id'> | Pick<SignUpInvitation, 'token_hash'>,
  now: number,
): Promise<SignUpInvitation | undefined> {
  return selectWhere(queries, 'sign_up_invitations', match)
    .selectAll()
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function invitationList(queries: Queries, now: number): Promise<SignUpInvitation[]> {
  return queries
    .selectFrom('sign_up_invitations')
    .selectAll()
    .where('expires_at', '>', now)
    .orderBy('expires_at')
    .execute();
}

export async function invitationRemove(queries: Queries, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'sign_up_invitations', { id }).returning('id'));
}

export async function termsInsert(queries: Queries, terms: AccountTermsTable): Promise<void> {
  await queries.insertInto('account_terms').values(terms).execute();
}
