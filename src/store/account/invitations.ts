// Invitations of contacts that were not accepted yet.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, deleteWhere, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { InvitationTable } from './tables.ts';

export type Invitation = Selectable<InvitationTable>;
export type NewInvitation = Insertable<InvitationTable>;

export async function invitationList(queries: Queries, account_id: AccountId) {
  return queries
    .selectFrom('invitations')
    .innerJoin('contacts', 'contacts.id', 'invitations.contact_id')
    .selectAll('invitations')
    .select(['contacts.firstname', 'contacts.lastname'])
    .where('invitations.account_id', '=', account_id)
    .orderBy('invitations.id')
    .execute();
}

export async function invitationFind(
  queries: Queries,
  match:
    | Pick<Invitation, 'account_id' | 'id'>
    | Pick<Invitation, 'account_id' | 'contact_id'>
    | Pick<Invitation, 'token_hash'>,
): Promise<Invitation | undefined> {
  return selectWhere(queries, 'invitations', match).selectAll().executeTakeFirst();
}

/** Returns undefined if the contact has one. */
export async function invitationInsert(queries: Queries, invitation: NewInvitation): Promise<number | undefined> {
  const insertion = insertNew(queries, 'invitations', invitation, ['account_id', 'contact_id']);
  return (await insertion.returning('id').executeTakeFirst())?.id;
}

export async function invitationUpdate(queries: Queries, id: number, change: Partial<NewInvitation>): Promise<void> {
  await updateWhere(queries, 'invitations', { id }).set(change).execute();
}

/** Returns and uses up an invitation. Of two at once, one gets undefined. */
export async function invitationTake(queries: Queries, token_hash: string): Promise<Invitation | undefined> {
  return deleteWhere(queries, 'invitations', { token_hash }).returningAll().executeTakeFirst();
}

export async function invitationRemove(queries: Queries, account_id: AccountId, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'invitations', { account_id, id }).returning('id'));
}

export async function invitationsRemoveExpired(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('invitations').where('expires_at', '<', before).execute();
}
