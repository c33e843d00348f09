// Zones that were taken from their account, with the records that they had.
import type { Selectable } from 'kysely';
import { deleteWhere, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { comparePaths } from './path.ts';
import type { WithdrawnRecordTable, WithdrawnZoneTable } from './tables.ts';

export type WithdrawnZone = Selectable<WithdrawnZoneTable>;

/** Copies the zone and its records, and deletes all but the account's newest `keep`. */
export async function withdrawnZoneInsert(queries: Queries, zone: WithdrawnZone, keep: number): Promise<void> {
  await queries.insertInto('withdrawn_zones').values(zone).execute();
  await queries
    .insertInto('withdrawn_records')
    .columns(['id', 'zone_id', 'name', 'type', 'ttl', 'rdata'])
    .expression(
      selectWhere(queries, 'records', { zone_id: zone.id }).select(['id', 'zone_id', 'name', 'type', 'ttl', 'rdata']),
    )
    .execute();
  const newest = withdrawnOf(queries, zone.account_id).select('id').limit(keep);
  await deleteWhere(queries, 'withdrawn_zones', { account_id: zone.account_id })
    .where('id', 'not in', newest)
    .execute();
}

function withdrawnOf(queries: Queries, account: AccountId) {
  return selectWhere(queries, 'withdrawn_zones', { account_id: account }).orderBy('at', 'desc').orderBy('id', 'desc');
}

/** Returns the newest first. */
export async function withdrawnZoneList(queries: Queries, account: AccountId): Promise<WithdrawnZone[]> {
  return withdrawnOf(queries, account).selectAll().execute();
}

export async function withdrawnZoneFind(
  queries: Queries,
  account: AccountId,
  id: number,
): Promise<WithdrawnZone | undefined> {
  return selectWhere(queries, 'withdrawn_zones', { account_id: account, id }).selectAll().executeTakeFirst();
}

/** Returns them in the order of their paths. */
export async function withdrawnRecords(
  queries: Queries,
  zone: WithdrawnZone,
): Promise<Selectable<WithdrawnRecordTable>[]> {
  const records = await selectWhere(queries, 'withdrawn_records', { zone_id: zone.id }).selectAll().execute();
  return records.sort(comparePaths);
}

export async function allWithdrawnZones(queries: Queries): Promise<WithdrawnZone[]> {
  return queries.selectFrom('withdrawn_zones').selectAll().orderBy('id').execute();
}
