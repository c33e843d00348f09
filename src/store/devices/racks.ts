// Racks, and the units that equipment occupies.
import type { Selectable } from 'kysely';
import { preparedPut } from '../engine/prepared-rows.ts';
import { putRow, rowsInBatches, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { RackTable, RackMountTable } from './tables.ts';

export type Rack = Selectable<RackTable>;
export type RackMount = Selectable<RackMountTable>;

export async function rackList(queries: Queries): Promise<Rack[]> {
  return queries.selectFrom('racks').selectAll().orderBy('name').execute();
}

/** Returns the racks after this one, by name. */
export async function rackPage(queries: Queries, after: string, limit: number): Promise<Rack[]> {
  return queries.selectFrom('racks').selectAll().where('name', '>', after).orderBy('name').limit(limit).execute();
}

/** Returns what is mounted in these racks, from the bottom up. */
export async function rackMountsOf(queries: Queries, racks: readonly string[]): Promise<RackMount[]> {
  if (racks.length === 0) return [];
  const mounts = queries.selectFrom('rack_mounts').selectAll().where('rack', 'in', racks);
  return mounts.orderBy('rack').orderBy('unit').orderBy('name').execute();
}

/** Returns the rack in which a piece of equipment is mounted. */
export async function rackOf(queries: Queries, kind: RackMount['kind'], name: string): Promise<Rack | undefined> {
  const mounted = selectWhere(queries, 'rack_mounts', { kind, name }).select('rack');
  return queries.selectFrom('racks').selectAll().where('name', 'in', mounted).executeTakeFirst();
}

export async function rackMountOf(
  queries: Queries,
  kind: RackMount['kind'],
  name: string,
): Promise<RackMount | undefined> {
  return selectWhere(queries, 'rack_mounts', { kind, name }).selectAll().executeTakeFirst();
}

export async function rackMountsNamed(
  queries: Queries,
  kind: RackMount['kind'],
  names: readonly string[],
): Promise<RackMount[]> {
  return rowsInBatches(names, (batch) =>
    selectWhere(queries, 'rack_mounts', { kind }).selectAll().where('name', 'in', batch),
  );
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

export const rackMountsPut = preparedPut('rack_mounts', ['kind', 'name']);

export async function rackMountRemove(
  queries: Queries,
  { kind, name }: Pick<RackMount, 'kind' | 'name'>,
): Promise<void> {
  await queries.deleteFrom('rack_mounts').where('kind', '=', kind).where('name', '=', name).execute();
}
