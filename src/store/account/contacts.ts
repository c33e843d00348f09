// Contacts of an account.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { affectsRows, countRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ContactTable } from './tables.ts';

export type Contact = Selectable<ContactTable>;
export type NewContact = Omit<Insertable<ContactTable>, 'account_id'>;
export type ContactChange = Omit<Updateable<ContactTable>, 'account_id'>;

export async function contactList(queries: Queries, account: AccountId): Promise<Contact[]> {
  return queries.selectFrom('contacts').selectAll().where('account_id', '=', account).orderBy('id').execute();
}

/** Returns a page of the account's contacts, by id. */
export async function contactPage(
  queries: Queries,
  account: AccountId,
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<Contact[]> {
  const page = selectWhere(queries, 'contacts', { account_id: account }).selectAll().where('id', '>', after);
  return page.orderBy('id').limit(limit).execute();
}

export async function contactFind(queries: Queries, account: AccountId, id: number): Promise<Contact | undefined> {
  return selectWhere(queries, 'contacts', { account_id: account, id }).selectAll().executeTakeFirst();
}

/** Returns the contact, which nobody else changes until the transaction ends. */
export async function contactLock(queries: Queries, account: AccountId, id: number): Promise<Contact | undefined> {
  return updateWhere(queries, 'contacts', { account_id: account, id })
    .set((set) => ({ email: set.ref('email') }))
    .returningAll()
    .executeTakeFirst();
}

export async function contactCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'contacts', { account_id: account }));
}

export async function contactInsert(queries: Queries, account: AccountId, contact: NewContact): Promise<number> {
  const row = await queries
    .insertInto('contacts')
    .values({ ...contact, account_id: account })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** Returns false if there is no such contact. */
export async function contactUpdate(
  queries: Queries,
  account: AccountId,
  id: number,
  change: ContactChange,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'contacts', { account_id: account, id }).set(change).returning('id'));
}

export async function contactRemove(queries: Queries, account: AccountId, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'contacts', { account_id: account, id }).returning('id'));
}
