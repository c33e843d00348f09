// Each account's position in the billing calendar, and the row that locks the account for billing: issuing, payments
// and credits lock it first, so that they run one after another on an account.
import type { Selectable } from 'kysely';
import { prepared, preparedChange, preparedRows, runInBatches } from '../engine/prepared.ts';
import { preparedFind, preparedPut } from '../engine/prepared-rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { BillingAccountTable } from './tables.ts';

export type BillingAccount = Selectable<BillingAccountTable>;

const newAccount = { bill_day: 0, next_day: null, last_day: null, run_day: null, revision: 1 };
const hold = preparedRows((queries: Queries, accounts: readonly { account: AccountId }[]) =>
  queries
    .insertInto('billing_accounts')
    .values(accounts.map(({ account }) => ({ account_id: account, ...newAccount })))
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ revision: set('billing_accounts.revision', '+', 1) })),
    )
    .returningAll(),
);
/** Locks the account until the transaction ends. */
export async function billingAccountLock(queries: Queries, account: AccountId): Promise<BillingAccount> {
  return (await hold(queries, [{ account }]))[0]!;
}

/** Does the same for many accounts, which must differ. */
export async function billingAccountsLock(
  queries: Queries,
  accounts: readonly AccountId[],
): Promise<ReadonlyMap<AccountId, BillingAccount>> {
  const rows = await runInBatches(hold, queries, accounts, (account) => ({ account }));
  return new Map(rows.map((row) => [row.account_id, row]));
}

const revisionOf = prepared((queries: Queries, values: { account: AccountId }) =>
  queries.selectFrom('billing_accounts').select('revision').where('account_id', '=', values.account),
);
/** Returns a number that changes whenever the account was locked, and so whenever its invoices may have changed. */
export async function billingRevision(queries: Queries, account: AccountId): Promise<number> {
  return (await revisionOf(queries, { account }))[0]?.revision ?? 0;
}

export const billingAccountFind = preparedFind('billing_accounts', 'account_id');

/** Stores the calendars of accounts that are locked. */
export const billingAccountsPut = preparedPut('billing_accounts', ['account_id']);

type Calendar = Partial<Pick<BillingAccount, 'bill_day' | 'next_day' | 'last_day' | 'run_day'>>;
const set = preparedChange((queries: Queries, calendar: Calendar, values: { account: AccountId }) =>
  queries.updateTable('billing_accounts').set(calendar).where('account_id', '=', values.account),
);
export async function billingAccountSet(queries: Queries, account: AccountId, calendar: Calendar): Promise<void> {
  await set(queries, calendar, { account });
}

/** Returns accounts whose next period has started, ordered by id, after `after`. */
export async function billingAccountsDue(
  queries: Queries,
  today: number,
  after: number,
  limit: number,
): Promise<(BillingAccount & { next_day: number })[]> {
  const rows = await queries
    .selectFrom('billing_accounts')
    .selectAll()
    .where('next_day', '<=', today)
    .where('account_id', '>', after as AccountId)
    .orderBy('account_id')
    .limit(limit)
    .execute();
  return rows as (BillingAccount & { next_day: number })[];
}

/** Returns open accounts whose billing has ended, but that have volumes of a service with a price for them. */
export async function billingAccountsWithVolumes(
  queries: Queries,
): Promise<Pick<BillingAccount, 'account_id' | 'bill_day'>[]> {
  return queries
    .selectFrom('billing_accounts')
    .innerJoin('accounts', 'accounts.id', 'billing_accounts.account_id')
    .select(['billing_accounts.account_id', 'bill_day'])
    .where('next_day', 'is', null)
    .where('accounts.status', '<>', 'Closed')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('volumes')
          .innerJoin('service_terms', (join) =>
            join
              .onRef('service_terms.account_id', '=', 'volumes.account_id')
              .onRef('service_terms.service_id', '=', 'volumes.service_id'),
          )
          .select('volumes.id')
          .whereRef('volumes.account_id', '=', 'billing_accounts.account_id')
          .where('volumes.state', 'in', ['Ready', 'Changing'])
          .where('usage_prices', 'like', '%"volumes"%')
          .where('service_terms.id', '=', ({ selectFrom: lastOf }) =>
            lastOf('service_terms as later')
              .select(({ fn }) => fn.max('later.id').as('id'))
              .whereRef('later.account_id', '=', 'volumes.account_id')
              .whereRef('later.service_id', '=', 'volumes.service_id'),
          ),
      ),
    )
    .execute();
}
