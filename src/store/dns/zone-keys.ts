// The zones that the built-in name server signs, and their keys. Rows are reached through their zone, which was loaded
// by its account and, for a change, locked.
import type { Insertable, Selectable } from 'kysely';
import { deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { SignedZoneTable, ZoneKeyTable } from './tables.ts';
import type { Zone } from './zones.ts';

export type SignedZone = Selectable<SignedZoneTable>;
export type ZoneKey = Selectable<ZoneKeyTable>;

export async function signedZoneFind(queries: Queries, zone: Pick<Zone, 'id'>): Promise<SignedZone | undefined> {
  return selectWhere(queries, 'signed_zones', { zone_id: zone.id }).selectAll().executeTakeFirst();
}

export async function signedZoneInsert(queries: Queries, zone: SignedZone): Promise<void> {
  await queries.insertInto('signed_zones').values(zone).execute();
}

export async function signedZoneUpdate(
  queries: Queries,
  zone: Pick<Zone, 'id'>,
  change: Partial<Omit<SignedZone, 'zone_id'>>,
): Promise<void> {
  await updateWhere(queries, 'signed_zones', { zone_id: zone.id }).set(change).execute();
}

/** Deletes the keys too. */
export async function signedZoneRemove(queries: Queries, zone: Pick<Zone, 'id'>): Promise<void> {
  await deleteWhere(queries, 'signed_zones', { zone_id: zone.id }).execute();
}

/** Returns the zones whose serial was last raised up to this time, the oldest first. */
export async function signedZonesDue(
  queries: Queries,
  until: number,
  limit: number,
): Promise<Pick<Zone, 'id' | 'account_id'>[]> {
  return queries
    .selectFrom('signed_zones')
    .innerJoin('zones', 'zones.id', 'signed_zones.zone_id')
    .select(['zones.id', 'zones.account_id'])
    .where('refreshed_at', '<=', until)
    .orderBy('refreshed_at')
    .limit(limit)
    .execute();
}

/** Returns the keys of a zone, the oldest first. */
export async function zoneKeyList(queries: Queries, zone: Pick<Zone, 'id'>): Promise<ZoneKey[]> {
  return selectWhere(queries, 'zone_keys', { zone_id: zone.id }).selectAll().orderBy('id').execute();
}

export async function zoneKeyInsert(queries: Queries, key: Insertable<ZoneKeyTable>): Promise<void> {
  await queries.insertInto('zone_keys').values(key).execute();
}

export async function zoneKeyUpdate(
  queries: Queries,
  { id, zone_id }: ZoneKey,
  change: Partial<Pick<ZoneKey, 'state' | 'workflow_id' | 'changed_at'>>,
): Promise<void> {
  await updateWhere(queries, 'zone_keys', { id, zone_id }).set(change).execute();
}

export async function zoneKeyRemove(queries: Queries, { id, zone_id }: ZoneKey): Promise<void> {
  await deleteWhere(queries, 'zone_keys', { id, zone_id }).execute();
}
