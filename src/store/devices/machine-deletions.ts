// Machines that their customers deleted, and that are kept for a while so that they can be restored.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { hasNoWorkflow } from '../work/workflows.ts';
import type { MachineDeletionTable } from './machine-order-tables.ts';

export type MachineDeletion = Selectable<MachineDeletionTable>;

export async function machineDeletionInsert(
  queries: Queries,
  deletion: Omit<MachineDeletion, 'stopped_at'>,
): Promise<void> {
  await queries
    .insertInto('machine_deletions')
    .values({ ...deletion, stopped_at: null })
    .execute();
}

export async function machineDeletionFind(queries: Queries, service: number): Promise<MachineDeletion | undefined> {
  return selectWhere(queries, 'machine_deletions', { service_id: service }).selectAll().executeTakeFirst();
}

export async function machineDeletionStopped(queries: Queries, service: number, at: number): Promise<void> {
  await updateWhere(queries, 'machine_deletions', { service_id: service }).set({ stopped_at: at }).execute();
}

export async function machineDeletionUntil(queries: Queries, service: number, until_day: number): Promise<void> {
  await updateWhere(queries, 'machine_deletions', { service_id: service }).set({ until_day }).execute();
}

/** Returns false if there was none. */
export async function machineDeletionRemove(queries: Queries, service: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'machine_deletions', { service_id: service }).returning('service_id'));
}

/** Returns machines to power off or to remove for good, on which no workflow of these names is at work. */
export async function machineDeletionsDue(
  queries: Queries,
  now: number,
  workflows: readonly string[],
  limit: number,
): Promise<MachineDeletion[]> {
  return queries
    .selectFrom('machine_deletions')
    .selectAll()
    .where((where) => where.or([where('expires_at', '<=', now), where('stopped_at', 'is', null)]))
    .where(hasNoWorkflow('machine_deletions', workflows))
    .orderBy('expires_at')
    .orderBy('service_id')
    .limit(limit)
    .execute();
}
