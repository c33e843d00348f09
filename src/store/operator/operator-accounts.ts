// Accounts as operators search for them, over all customers.
import type { AccountStatus } from '#contract/shapes/account.ts';
import { pickDefined } from '#lib/defined.ts';
import { providerAccount, type Account } from '../account/accounts.ts';
import { contactCount } from '../account/contacts.ts';
import { keyCount } from '../account/keys.ts';
import { mergeById, searchRows } from '../engine/search.ts';
import { countRows, insertNew, planEachTime, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';

export interface AccountSearch {
  readonly search: string | undefined;
  readonly status: AccountStatus | undefined;
  readonly limit: number;
  readonly after: number;
}

/** Ordered by id, without the provider's own account. */
export async function accountSearch(queries: Queries, filter: AccountSearch): Promise<Account[]> {
  const { search, status, limit } = filter;
  const after = Math.max(filter.after, providerAccount) as AccountId;
  const match = pickDefined({ status });
  const page = selectWhere(queries, 'accounts', match).selectAll().where('id', '>', after).orderBy('id').limit(limit);
  if (search === undefined) return planEachTime(page).execute();
  const numbered = /^[0-9]{1,15}$/.test(search)
    ? await page.where('id', '=', Number(search) as AccountId).execute()
    : [];
  const containing = await searchRows(queries, 'accounts', { text: search, match, after, limit });
  return mergeById([numbered, containing], limit);
}

/** Returns those that exist, in the order of their ids. */
export async function accountsByIds(queries: Queries, ids: readonly AccountId[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  return queries
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', ids)
    .where('id', '!=', providerAccount)
    .orderBy('id')
    .execute();
}

export async function accountCounts(queries: Queries, account: AccountId, now: number) {
  const services = selectWhere(queries, 'services', { account_id: account }).where('status', '<>', 'Terminated');
  return {
    contacts: await contactCount(queries, account),
    keys: await keyCount(queries, account, now),
    services: await countRows(services),
  };
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
    const row = { ...account, id: (Number(largest) + 1) as AccountId };
    const inserted = await insertNew(queries, 'accounts', row, ['id']).returning('id').executeTakeFirst();
    if (inserted !== undefined) return inserted.id;
  }
}

/** Revokes every key and session of the account. */
export async function accountKeysEnd(queries: Queries, account: AccountId, now: number): Promise<void> {
  await updateWhere(queries, 'keys', { account_id: account, revoked_at: null }).set({ revoked_at: now }).execute();
}
