// Racks, and the units that equipment occupies.
import type { Selectable } from 'kysely';
import { ifChanged } from '../engine/if-changed.ts';
import type { Queries } from '../store.ts';
import type { RackTable, RackMountTable } from './tables.ts';

export type Rack = Selectable<RackTable>;
export type RackMount = Selectable<RackMountTable>;

export async function rackList(queries: Queries): Promise<Rack[]> {
  return queries.selectFrom('racks').selectAll().orderBy('name').execute();
}

export async function rackPut(queries: Queries, { name, ...changing }: Rack): Promise<void> {
  await queries
    .insertInto('racks')
    .values({ name, ...changing })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(changing).where(ifChanged('racks', changing)))
    .execute();
}

export async function rackRemove(queries: Queries, name: string): Promise<void> {
  await queries.deleteFrom('racks').where('name', '=', name).execute();
}

/** Returns all mounted equipment, from the bottom up. */
export async function rackMounts(queries: Queries): Promise<RackMount[]> {
  return queries.selectFrom('rack_mounts').selectAll().orderBy('rack').orderBy('unit').orderBy('name').execute();
}

export async function rackMountPut(queries: Queries, { kind, name, ...place }: RackMount): Promise<void> {
  await queries
    .insertInto('rack_mounts')
    .values({ kind, name, ...place })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'name']).doUpdateSet(place).where(ifChanged('rack_mounts', place)),
    )
    .execute();
}

export async function rackMountRemove(
  queries: Queries,
  { kind, name }: Pick<RackMount, 'kind' | 'name'>,
): Promise<void> {
  await queries.deleteFrom('rack_mounts').where('kind', '=', kind).where('name', '=', name).execute();
}
