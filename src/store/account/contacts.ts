// Contacts of an account.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ContactTable } from './tables.ts';

export type Contact = Selectable<ContactTable>;
export type NewContact = Omit<Insertable<ContactTable>, 'account_id'>;
export type ContactChange = Omit<Updateable<ContactTable>, 'account_id'>;

export async function contactList(queries: Queries, account: AccountId): Promise<Contact[]> {
  return queries.selectFrom('contacts').selectAll().where('account_id', '=', account).orderBy('id').execute();
}

export async function contactFind(queries: Queries, account: AccountId, id: number): Promise<Contact | undefined> {
  return queries
    .selectFrom('contacts')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function contactCount(queries: Queries, account: AccountId): Promise<number> {
  const { count } = await queries
    .selectFrom('contacts')
    .select((expression) => expression.fn.countAll().as('count'))
    .where('account_id', '=', account)
    .executeTakeFirstOrThrow();
  return Number(count);
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
  const row = await queries
    .updateTable('contacts')
    .set(change)
    .where('account_id', '=', account)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function contactRemove(queries: Queries, account: AccountId, id: number): Promise<boolean> {
  const row = await queries
    .deleteFrom('contacts')
    .where('account_id', '=', account)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
