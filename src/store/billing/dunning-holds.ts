// Accounts whose unpaid invoices have no consequences for now, because staff decided so.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, insertNew, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { DunningHoldTable } from './tables.ts';

export type DunningHold = Selectable<DunningHoldTable>;

export async function dunningHoldFind(queries: Queries, account: AccountId): Promise<DunningHold | undefined> {
  return selectWhere(queries, 'dunning_holds', { account_id: account }).selectAll().executeTakeFirst();
}

/** Returns false if dunning of the account is on hold already. */
export async function dunningHoldInsert(queries: Queries, hold: DunningHold): Promise<boolean> {
  return affectsRows(insertNew(queries, 'dunning_holds', hold, ['account_id']).returning('account_id'));
}

/** Returns false if dunning of the account was not on hold. */
export async function dunningHoldRemove(queries: Queries, account: AccountId): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'dunning_holds', { account_id: account }).returning('account_id'));
}

/** Returns those of these accounts whose dunning is on hold. */
export async function dunningHoldsOf(
  queries: Queries,
  accounts: readonly AccountId[],
): Promise<ReadonlySet<AccountId>> {
  const rows = await queries
    .selectFrom('dunning_holds')
    .select('account_id')
    .where('account_id', 'in', accounts)
    .execute();
  return new Set(rows.map(({ account_id }) => account_id));
}
