// Accounts.
import { sql, type Selectable, type Updateable } from 'kysely';
import { preparedPut } from '../engine/prepared-rows.ts';
import { updateWhere } from '../engine/rows.ts';
import { preparedRow } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { AccountTable } from './tables.ts';

export type Account = Selectable<AccountTable>;

/** The account that operators' audit entries and stored responses belong to. It is not a customer and owns nothing. */
export const providerAccount = 0 as AccountId;

const byId = preparedRow((queries: Queries, values: { id: AccountId }) =>
  queries.selectFrom('accounts').selectAll().where('id', '=', values.id),
);
export function accountFind(queries: Queries, id: AccountId): Promise<Account | undefined> {
  return byId(queries, { id });
}

const withOwedById = preparedRow((queries: Queries, values: { id: AccountId }) =>
  queries
    .selectFrom('accounts')
    .select(['id', 'firstname', 'lastname', 'companyname', 'email', 'address1', 'address2', 'city', 'state'])
    .select(['postcode', 'country', 'phonenumber', 'status', 'currency'])
    .select(['last_login_at', 'last_login_address', 'last_login_host'])
    .select(
      sql<number>`(select coalesce(sum(case when debit in ('receivable', 'credit') then amount_cents else 0 end
        - case when credit in ('receivable', 'credit') then amount_cents else 0 end), 0)
        from ledger where account_id = accounts.id)`.as('owed_cents'),
    )
    .where('id', '=', values.id),
);
export type AccountWithOwed = NonNullable<Awaited<ReturnType<typeof withOwedById>>>;
/** Returns the account with the amount it owes according to the ledger; negative if it is in credit. */
export function accountFindWithOwed(queries: Queries, id: AccountId): Promise<AccountWithOwed | undefined> {
  return withOwedById(queries, { id });
}

export async function accountIds(queries: Queries): Promise<AccountId[]> {
  const rows = await queries.selectFrom('accounts').select('id').orderBy('id').execute();
  return rows.map((row) => row.id);
}

type SiteAccount = Omit<Account, 'last_login_at' | 'last_login_address' | 'last_login_host'>;
const put = preparedPut('accounts', ['id'], ['created_at']);
/** Creates or updates the accounts of a site file. */
export async function accountsPut(queries: Queries, accounts: readonly SiteAccount[]): Promise<void> {
  await put(queries, accounts);
}

/** Returns the account, which nobody else changes until the transaction ends. */
export async function accountLock(queries: Queries, id: AccountId): Promise<Account | undefined> {
  return updateWhere(queries, 'accounts', { id })
    .set((set) => ({ status: set.ref('status') }))
    .returningAll()
    .executeTakeFirst();
}

export async function accountChange(queries: Queries, id: AccountId, change: Updateable<AccountTable>): Promise<void> {
  await queries.updateTable('accounts').set(change).where('id', '=', id).execute();
}

export interface Login {
  readonly at: number;
  readonly address: string;
}
export async function accountRecordLogin(queries: Queries, account: AccountId, login: Login): Promise<void> {
  const { at, address } = login;
  await accountChange(queries, account, { last_login_at: at, last_login_address: address, last_login_host: null });
}
/** The host name is resolved after the login, when it may have become the one before that of a newer session. */
export async function accountRecordLoginHost(
  queries: Queries,
  account: AccountId,
  login: Login,
  host: string,
): Promise<void> {
  const { at, address } = login;
  await updateWhere(queries, 'accounts', { id: account, last_login_at: at, last_login_address: address })
    .set({ last_login_host: host })
    .execute();
  await updateWhere(queries, 'keys', { account_id: account, previous_login_at: at, previous_login_address: address })
    .set({ previous_login_host: host })
    .execute();
}
