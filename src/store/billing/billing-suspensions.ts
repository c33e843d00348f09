// Accounts that are suspended because they did not pay, with the services that were suspended along with them: those are the
// ones that come back when it is lifted.
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface BillingSuspensionTable {
  account_id: AccountId;
  since: number;
  services: string;
}

export async function suspensionFind(queries: Queries, account: AccountId): Promise<readonly number[] | undefined> {
  const row = await queries
    .selectFrom('billing_suspensions')
    .select('services')
    .where('account_id', '=', account)
    .executeTakeFirst();
  return row === undefined ? undefined : (JSON.parse(row.services) as number[]);
}

export async function suspensionInsert(
  queries: Queries,
  account: AccountId,
  since: number,
  services: readonly number[],
): Promise<void> {
  await queries
    .insertInto('billing_suspensions')
    .values({ account_id: account, since, services: JSON.stringify(services) })
    .execute();
}

export async function suspensionRemove(queries: Queries, account: AccountId): Promise<void> {
  await queries.deleteFrom('billing_suspensions').where('account_id', '=', account).execute();
}
