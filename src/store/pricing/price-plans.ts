// Plans that staff created in the panel, and price changes for the services that have them.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import type { SitePlan } from '#contract/site/billing.ts';
import { affectsRows, deleteWhere, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import { jsonColumn } from '../json-column.ts';
import type { Queries } from '../store.ts';
import type { PriceChangeTable, PricePlanTable } from './tables.ts';

export type PricePlan = Selectable<PricePlanTable>;
export type PriceChange = Selectable<PriceChangeTable>;

export const planDefinition = jsonColumn('price_plans.definition', Type.Unsafe<SitePlan>(Type.Object({})));

export async function pricePlanList(queries: Queries): Promise<PricePlan[]> {
  return queries.selectFrom('price_plans').selectAll().orderBy('name').execute();
}

export async function pricePlanFind(queries: Queries, name: string): Promise<PricePlan | undefined> {
  return selectWhere(queries, 'price_plans', { name }).selectAll().executeTakeFirst();
}

export async function pricePlanPut(queries: Queries, plan: Insertable<PricePlanTable>): Promise<void> {
  await putRow(queries, 'price_plans', ['name'], plan, ['created_at']);
}

/** Sets only these columns, so that a simultaneous change of others is kept. */
export async function pricePlanChange(
  queries: Queries,
  name: string,
  change: Pick<PricePlan, 'changed_at'> & Partial<Pick<PricePlan, 'definition' | 'state'>>,
): Promise<void> {
  await updateWhere(queries, 'price_plans', { name }).set(change).execute();
}

/** Also removes its price changes. */
export async function pricePlanRemove(queries: Queries, name: string): Promise<void> {
  await deleteWhere(queries, 'price_changes', { plan: name }).execute();
  await deleteWhere(queries, 'price_plans', { name }).execute();
}

/** Returns true if a service ever had the plan: its invoices and terms name it. */
export async function isPlanUsed(queries: Queries, plan: string): Promise<boolean> {
  const term = await selectWhere(queries, 'service_terms', { plan }).select('id').limit(1).executeTakeFirst();
  return term !== undefined;
}

/** Returns how many services have each plan on this day. */
export async function countServicesByPlan(queries: Queries, day: number): Promise<Map<string, number>> {
  const rows = await queries
    .selectFrom('service_terms')
    .select(({ fn }) => ['plan', fn.countAll<number>().as('count')])
    .where((where) => where.or([where('until_day', 'is', null), where('until_day', '>', day)]))
    .groupBy('plan')
    .execute();
  return new Map(rows.map(({ plan, count }) => [plan, Number(count)]));
}

export async function priceChangeInsert(queries: Queries, change: Insertable<PriceChangeTable>): Promise<void> {
  await queries.insertInto('price_changes').values(change).execute();
}

/** Returns the changes of all plans that have not been applied, the next one first. */
export async function priceChangesPending(queries: Queries): Promise<PriceChange[]> {
  return selectWhere(queries, 'price_changes', { applied_at: null })
    .selectAll()
    .orderBy('from_day')
    .orderBy('id')
    .execute();
}

export async function priceChangeDone(queries: Queries, id: number, now: number): Promise<void> {
  await updateWhere(queries, 'price_changes', { id }).set({ applied_at: now }).execute();
}

/** Withdraws the changes of a plan that take effect after this day. Returns false if there are none. */
export async function priceChangesCancel(queries: Queries, plan: string, day: number): Promise<boolean> {
  const pending = deleteWhere(queries, 'price_changes', { plan, applied_at: null });
  return affectsRows(pending.where('from_day', '>', day).returning('plan'));
}
