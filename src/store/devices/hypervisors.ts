// The provider's hypervisors: how to connect to them, and whether they responded when last checked.
import type { Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import { deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn, type DeepReadonly } from '../json-column.ts';
import type { HypervisorTable } from './machine-tables.ts';

export const hypervisorNameServers = jsonColumn('nodes.name_servers', Type.Array(Type.String()));

const number = Type.Optional(Type.Number());
const NodeCapacity = Type.Object({
  total: Type.Object({ version: Type.Optional(Type.String()), cpus: number, memoryMb: number, diskGb: number }),
  free: Type.Object({ memoryMb: Type.Number(), diskGb: Type.Number() }),
});
export type NodeCapacity = Static<typeof NodeCapacity>;
export const nodeCapacity = jsonColumn('nodes.capacity', NodeCapacity);

export type HypervisorRow = Selectable<HypervisorTable>;

export async function hypervisorFind(queries: Queries, name: string): Promise<HypervisorRow | undefined> {
  return queries.selectFrom('nodes').selectAll().where('name', '=', name).executeTakeFirst();
}

/** Returns the hypervisor, which nobody else changes until the transaction ends. */
export async function hypervisorLock(queries: Queries, name: string): Promise<HypervisorRow | undefined> {
  return updateWhere(queries, 'nodes', { name })
    .set((set) => ({ name: set.ref('name') }))
    .returningAll()
    .executeTakeFirst();
}

export async function hypervisorList(queries: Queries): Promise<HypervisorRow[]> {
  return queries.selectFrom('nodes').selectAll().where('removed_at', 'is', null).orderBy('name').execute();
}

export async function hypervisorPut(
  queries: Queries,
  node: Pick<HypervisorRow, 'name' | 'driver' | 'settings' | 'name_servers'> & Partial<Pick<HypervisorRow, 'location'>>,
): Promise<void> {
  const { name, ...changing } = node;
  await queries
    .insertInto('nodes')
    .values({
      name,
      ...changing,
      revision: 0,
      next_look_at: 0,
      next_sample_at: 0,
      sampled_since: 0,
      seen_at: null,
      error: null,
      removed_at: null,
    })
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((set) => ({
        ...changing,
        revision: set('nodes.revision', '+', 1),
        next_look_at: 0,
        removed_at: null,
      })),
    )
    .execute();
}

export async function hypervisorsToCheck(queries: Queries, now: number): Promise<HypervisorRow[]> {
  const due = selectWhere(queries, 'nodes', { removed_at: null }).where('next_look_at', '<=', now);
  return due.selectAll().orderBy('next_look_at').execute();
}

export async function hypervisorsToSample(queries: Queries, now: number, limit: number): Promise<HypervisorRow[]> {
  const due = selectWhere(queries, 'nodes', { removed_at: null }).where('next_sample_at', '<=', now);
  return due.selectAll().orderBy('next_sample_at').limit(limit).execute();
}

export async function hypervisorSampleSet(
  queries: Queries,
  name: string,
  change: Partial<Pick<HypervisorRow, 'next_sample_at' | 'sampled_since'>>,
): Promise<void> {
  await updateWhere(queries, 'nodes', { name }).set(change).execute();
}

export async function hypervisorCheckSet(
  queries: Queries,
  name: string,
  look: Pick<HypervisorRow, 'next_look_at'> & Partial<Pick<HypervisorRow, 'seen_at' | 'error' | 'error_text'>>,
): Promise<void> {
  await queries.updateTable('nodes').set(look).where('name', '=', name).execute();
}

/** Null is a capacity that could not be read. */
export async function hypervisorCapacitySet(
  queries: Queries,
  name: string,
  capacity: DeepReadonly<NodeCapacity> | null,
  at: number,
): Promise<void> {
  const text = capacity === null ? null : nodeCapacity.encode(capacity);
  await updateWhere(queries, 'nodes', { name }).set({ capacity: text, capacity_at: at }).execute();
}

/** Makes the hypervisor of a machine due, so that its network filter soon allows the addresses that it now has. */
export async function hypervisorDue(queries: Queries, service: number): Promise<void> {
  const node = selectWhere(queries, 'machines', { service_id: service }).select('node');
  await queries.updateTable('nodes').set({ next_look_at: 0 }).where('name', 'in', node).execute();
}

/** Removes the hypervisor: no machines are placed on it any more, its secrets are deleted, and nothing is left to be removed from it. */
export async function hypervisorRemove(queries: Queries, name: string, now: number, noSettings: string): Promise<void> {
  await updateWhere(queries, 'nodes', { name })
    .set((set) => ({ settings: noSettings, revision: set('revision', '+', 1), removed_at: now }))
    .execute();
  await deleteWhere(queries, 'volumes', { node: name, state: 'Deleting' }).execute();
  await deleteWhere(queries, 'machine_images', { node: name, state: 'deleting' }).execute();
  await deleteWhere(queries, 'machine_copies', { node: name, is_obsolete: 1 }).execute();
}

export type NodeMaintenance = Pick<
  HypervisorRow,
  'maintenance_since' | 'maintenance_reason' | 'evacuation_since' | 'evacuation_ended_at' | 'evacuation_mode'
>;

export async function hypervisorMaintenanceSet(
  queries: Queries,
  name: string,
  change: Partial<NodeMaintenance>,
): Promise<void> {
  await updateWhere(queries, 'nodes', { name }).set(change).execute();
}

/** Returns the hypervisors whose machines are to migrate to others. */
export async function hypervisorsEvacuating(queries: Queries): Promise<HypervisorRow[]> {
  return selectWhere(queries, 'nodes', { removed_at: null, evacuation_ended_at: null })
    .selectAll()
    .where('evacuation_since', 'is not', null)
    .orderBy('name')
    .execute();
}
