// Racks, and the units that equipment occupies.
import type { Selectable } from 'kysely';
import { putRow } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { RackTable, RackMountTable } from './tables.ts';

export type Rack = Selectable<RackTable>;
export type RackMount = Selectable<RackMountTable>;

export async function rackList(queries: Queries): Promise<Rack[]> {
  return queries.selectFrom('racks').selectAll().orderBy('name').execute();
}

export async function rackPut(queries: Queries, rack: Rack): Promise<void> {
  await putRow(queries, 'racks', ['name'], rack);
}

export async function rackRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('racks').where('name', '=', name).execute();
}

/** Returns all mounted equipment, from the bottom up. */
export async function rackMounts(queries: Queries): Promise<RackMount[]> {
  return queries.selectFrom('rack_mounts').selectAll().orderBy('rack').orderBy('unit').orderBy('name').execute();
}

export async function rackMountPut(queries: Queries, mount: RackMount): Promise<void> {
  await putRow(queries, 'rack_mounts', ['kind', 'name'], mount);
}

export async function rackMountRemove(
  queries: Queries,
  { kind, name }: Pick<RackMount, 'kind' | 'name'>,
): Promise<void> {
  await queries.deleteFrom('rack_mounts').where('kind', '=', kind).where('name', '=', name).execute();
}
