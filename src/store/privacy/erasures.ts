// Requests to erase an account, and what became of them.
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { ErasureStatus } from '#contract/shapes/privacy.ts';
import { affectsRows, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { ErasureTable } from './tables.ts';

export type Erasure = Selectable<ErasureTable>;

export async function erasureFind(queries: Queries, account: AccountId): Promise<Erasure | undefined> {
  return selectWhere(queries, 'erasures', { account_id: account }).selectAll().executeTakeFirst();
}

export async function erasurePut(queries: Queries, row: Insertable<ErasureTable>): Promise<void> {
  await putRow(queries, 'erasures', ['account_id'], row);
}

/** Returns false if the erasure is in another state by now. */
export async function erasureMove(
  queries: Queries,
  { account_id, status }: Pick<Erasure, 'account_id' | 'status'>,
  change: Updateable<ErasureTable> & { readonly status: ErasureStatus },
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'erasures', { account_id, status }).set(change).returning('account_id'));
}

export async function erasuresIn(queries: Queries, status: ErasureStatus): Promise<Erasure[]> {
  return selectWhere(queries, 'erasures', { status }).selectAll().orderBy('erase_at').execute();
}

export interface ErasurePage {
  readonly after?: number | undefined;
  readonly limit: number;
}
export async function erasureList(queries: Queries, { after, limit }: ErasurePage): Promise<Erasure[]> {
  let query = queries.selectFrom('erasures').selectAll();
  if (after !== undefined) query = query.where('account_id', '>', after as AccountId);
  return query.orderBy('account_id').limit(limit).execute();
}

/** Returns those of the accounts that are erased, or are being erased. */
export async function erasedAccounts(queries: Queries): Promise<Set<number>> {
  const rows = await queries
    .selectFrom('erasures')
    .select('account_id')
    .where('status', 'in', ['Erasing', 'Erased', 'Purging', 'Purged'])
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/** The last day and time of what tax law requires: of invoices and payments. */
export async function lastTaxRecords(
  queries: Queries,
  account: AccountId,
): Promise<{ readonly day: number | null; readonly at: number | null }> {
  const invoice = await selectWhere(queries, 'invoices', { account_id: account })
    .select('day')
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
  const payment = await selectWhere(queries, 'payments', { account_id: account })
    .select('paid_at')
    .orderBy('paid_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { day: invoice?.day ?? null, at: payment?.paid_at ?? null };
}
