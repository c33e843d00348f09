// Mandates of customers.
import type { Insertable, Selectable } from 'kysely';
import { batches, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { SepaMandateTable } from './sepa-tables.ts';

export type Mandate = Selectable<SepaMandateTable>;

export async function mandateInsert(queries: Queries, mandate: Insertable<SepaMandateTable>): Promise<void> {
  await queries.insertInto('sepa_mandates').values(mandate).execute();
}

export async function mandateFind(queries: Queries, account: AccountId, method: number): Promise<Mandate | undefined> {
  return selectWhere(queries, 'sepa_mandates', { account_id: account, method_id: method })
    .selectAll()
    .executeTakeFirst();
}

export async function mandateList(queries: Queries, account: AccountId): Promise<Mandate[]> {
  return selectWhere(queries, 'sepa_mandates', { account_id: account }).selectAll().orderBy('method_id').execute();
}

/** Returns the mandates of these methods, in any order. */
export async function mandatesOfMethods(queries: Queries, methods: readonly number[]): Promise<Mandate[]> {
  const mandates = queries.selectFrom('sepa_mandates').selectAll();
  return rowsInBatches(methods, (batch) => mandates.where('method_id', 'in', batch));
}

/** Records that collections of these mandates are in a file. */
export async function mandatesUse(
  queries: Queries,
  methods: readonly number[],
  use: Pick<Mandate, 'used_at' | 'expires_day'>,
): Promise<void> {
  for (const batch of batches(methods))
    await queries.updateTable('sepa_mandates').set(use).where('method_id', 'in', batch).execute();
}

export async function mandateEnd(queries: Queries, method: number): Promise<void> {
  await updateWhere(queries, 'sepa_mandates', { method_id: method }).set({ expires_day: null }).execute();
}

/** Returns mandates that have not been used for too long. */
export async function mandatesExpired(queries: Queries, today: number, limit: number): Promise<Mandate[]> {
  return queries
    .selectFrom('sepa_mandates')
    .selectAll()
    .where('expires_day', '<=', today)
    .orderBy('expires_day')
    .limit(limit)
    .execute();
}
