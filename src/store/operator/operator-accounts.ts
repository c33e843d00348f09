// Accounts as operators search for them, over all customers.
import { sql, type Updateable } from 'kysely';
import type { AccountStatus } from '#contract/shapes/account.ts';
import { providerAccount, type Account } from '../account/accounts.ts';
import { containsText } from '../engine/search.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { AccountTable } from '../account/tables.ts';

export interface AccountSearch {
  readonly search: string | undefined;
  readonly status: AccountStatus | undefined;
  readonly limit: number;
  readonly after: number;
}

/** Ordered by id, without the provider's own account. */
export async function accountSearch(queries: Queries, filter: AccountSearch): Promise<Account[]> {
  let query = queries
    .selectFrom('accounts')
    .selectAll()
    .where('id', '>', Math.max(filter.after, providerAccount) as AccountId);
  if (filter.status !== undefined) query = query.where('status', '=', filter.status);
  const { search } = filter;
  if (search !== undefined) {
    const id = /^[0-9]{1,15}$/.test(search) ? Number(search) : -1;
    query = query.where((where) =>
      where.or([
        where('id', '=', id as AccountId),
        containsText(sql`firstname || ' ' || lastname`, search),
        containsText(sql.ref('companyname'), search),
        containsText(sql.ref('email'), search),
      ]),
    );
  }
  return query.orderBy('id').limit(filter.limit).execute();
}

export interface AccountCounts {
  readonly contacts: number;
  readonly keys: number;
  readonly services: number;
}
export async function accountCounts(queries: Queries, account: AccountId, now: number): Promise<AccountCounts> {
  const contacts = queries.selectFrom('contacts').where('account_id', '=', account);
  const keys = queries
    .selectFrom('keys')
    .where('account_id', '=', account)
    .where('kind', '=', 'key')
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]));
  const services = queries.selectFrom('services').where('account_id', '=', account).where('status', '<>', 'Terminated');
  const count = sql<number>`count(*)`.as('count');
  const rows = await Promise.all([
    contacts.select(count).executeTakeFirstOrThrow(),
    keys.select(count).executeTakeFirstOrThrow(),
    services.select(count).executeTakeFirstOrThrow(),
  ]);
  const [ofContacts, ofKeys, ofServices] = rows.map((row) => Number(row.count)) as [number, number, number];
  return { contacts: ofContacts, keys: ofKeys, services: ofServices };
}

/** Returns the customer account with the smallest id. */
export async function accountFirst(queries: Queries): Promise<Account | undefined> {
  return queries.selectFrom('accounts').selectAll().where('id', '>', providerAccount).orderBy('id').executeTakeFirst();
}

type NewAccount = Omit<Account, 'id' | 'last_login_at' | 'last_login_address' | 'last_login_host'>;

/** Uses the id after the largest one, or the next if another process has just taken that. */
export async function accountInsert(queries: Queries, account: NewAccount): Promise<AccountId> {
  for (;;) {
    const { largest } = await queries
      .selectFrom('accounts')
      .select((select) => select.fn.max('id').as('largest'))
      .executeTakeFirstOrThrow();
    const inserted = await queries
      .insertInto('accounts')
      .values({ ...account, id: (Number(largest) + 1) as AccountId })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted !== undefined) return inserted.id;
  }
}

export async function accountChange(
  queries: Queries,
  account: AccountId,
  change: Updateable<AccountTable>,
): Promise<void> {
  await queries.updateTable('accounts').set(change).where('id', '=', account).execute();
}

/** Revokes every key and session of the account. */
export async function accountKeysEnd(queries: Queries, account: AccountId, now: number): Promise<void> {
  await queries
    .updateTable('keys')
    .set({ revoked_at: now })
    .where('account_id', '=', account)
    .where('revoked_at', 'is', null)
    .execute();
}
