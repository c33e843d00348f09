// Each account's place in the calendar of bills, and the row by which billing holds the account: whoever issues, takes money or
// gives credit takes it first, so that two of them on one account come one after the other.
import type { Selectable } from 'kysely';
import { prepared, preparedChange } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface BillingAccountTable {
  account_id: AccountId;
  /** Of the month, 1 to 28. 0 until the account has something to be billed for. */
  bill_day: number;
  /** The beginning of the period that is billed next; null where there is nothing to bill. */
  next_day: number | null;
  /** The beginning of the period that was billed last. */
  last_day: number | null;
  /** The period for which a run has been started and has not ended. */
  run_day: number | null;
  revision: number;
}
export type BillingAccount = Selectable<BillingAccountTable>;

const hold = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .insertInto('billing_accounts')
    .values({ account_id: values.account, bill_day: 0, next_day: null, last_day: null, run_day: null, revision: 1 })
    .onConflict((conflict) =>
      conflict.column('account_id').doUpdateSet((set) => ({ revision: set('billing_accounts.revision', '+', 1) })),
    )
    .returningAll(),
);
/** In a transaction: holds the account until it ends. */
export async function billingAccountHold(queries: Queries, account: AccountId): Promise<BillingAccount> {
  return (await hold(queries, { account }))[0]!;
}

const revisionOf = prepared((queries: Queries, values: { account: AccountId }) =>
  queries.selectFrom('billing_accounts').select('revision').where('account_id', '=', values.account),
);
/** Another whenever somebody has held the account, and so whenever its invoices may have changed. */
export async function billingRevision(queries: Queries, account: AccountId): Promise<number> {
  return (await revisionOf(queries, { account }))[0]?.revision ?? 0;
}

const byAccount = prepared((queries: Queries, values: { account: AccountId }) =>
  queries.selectFrom('billing_accounts').selectAll().where('account_id', '=', values.account),
);
export async function billingAccountFind(queries: Queries, account: AccountId): Promise<BillingAccount | undefined> {
  return (await byAccount(queries, { account }))[0];
}

type Calendar = Partial<Pick<BillingAccount, 'bill_day' | 'next_day' | 'last_day' | 'run_day'>>;
const set = preparedChange((queries: Queries, calendar: Calendar, values: { account: AccountId }) =>
  queries.updateTable('billing_accounts').set(calendar).where('account_id', '=', values.account),
);
export async function billingAccountSet(queries: Queries, account: AccountId, calendar: Calendar): Promise<void> {
  await set(queries, calendar, { account });
}

/** Accounts whose next period has begun, in the order of their numbers, from the one after `after`. */
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
