// Zones and their versions. A change locks its zone first by incrementing its revision, which on PostgreSQL holds the
// row until the transaction ends, so that the second of two changes sees the first.
import { sql, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { countRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import { metaFind } from '../meta.ts';
import type { ZoneTable, ZoneVersionTable } from './tables.ts';

const RecordLines = Type.Array(
  Type.Object({ name: Type.String(), type: Type.String(), ttl: Type.String(), content: Type.String() }),
);
export const versionAdded = jsonColumn('zone_versions.added', RecordLines);
export const versionRemoved = jsonColumn('zone_versions.removed', RecordLines);

export type Zone = Selectable<ZoneTable>;
export type ZoneVersion = Selectable<ZoneVersionTable>;

const findZone = prepared((queries: Queries, values: { account: AccountId; id: number }) =>
  queries.selectFrom('zones').selectAll().where('id', '=', values.id).where('account_id', '=', values.account),
);
export async function zoneFind(queries: Queries, account: AccountId, id: number): Promise<Zone | undefined> {
  return (await findZone(queries, { account, id }))[0];
}

const lockZone = prepared((queries: Queries, values: { account: AccountId; id: number }) =>
  updateWhere(queries, 'zones', { id: values.id, account_id: values.account })
    .set((set) => ({ revision: set('revision', '+', 1) }))
    .returningAll(),
);
export async function zoneLock(queries: Queries, account: AccountId, id: number): Promise<Zone | undefined> {
  return (await lockZone(queries, { account, id }))[0];
}

/** For the provider's own zones, which belong to no account. */
export async function providerZoneLock(queries: Queries, name: string): Promise<Zone | undefined> {
  return updateWhere(queries, 'zones', { name, account_id: null })
    .set((set) => ({ revision: set('revision', '+', 1) }))
    .returningAll()
    .executeTakeFirst();
}

export interface Page {
  readonly after?: number | undefined;
  readonly limit?: number | undefined;
}
export async function zoneList(queries: Queries, account: AccountId, page: Page): Promise<Zone[]> {
  let query = queries.selectFrom('zones').selectAll().where('account_id', '=', account).orderBy('id');
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  if (page.limit !== undefined) query = query.limit(page.limit);
  return query.execute();
}

export async function zoneCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'zones', { account_id: account }));
}

/** Returns undefined if the name is taken. */
export async function zoneInsert(
  queries: Queries,
  zone: Pick<Zone, 'account_id' | 'name' | 'kind' | 'created_at'>,
): Promise<Zone | undefined> {
  const row = await queries
    .insertInto('zones')
    .values({ ...zone, revision: 1, record_count: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row !== undefined) await moveZonesSerial(queries);
  return row;
}

export async function zoneRemove(queries: Queries, zone: Zone): Promise<void> {
  await queries.deleteFrom('zones').where('id', '=', zone.id).execute();
  await moveZonesSerial(queries);
}

const recount = prepared((queries: Queries, values: { id: number; more: number }) =>
  updateWhere(queries, 'zones', { id: values.id })
    .set((set) => ({ record_count: set('record_count', '+', values.more) }))
    .returning('id'),
);
export async function zoneRecount(queries: Queries, zone: Zone, more: number): Promise<void> {
  await recount(queries, { id: zone.id, more });
}

/** Returns the zones of these names, of any account. */
export async function zonesNamed(queries: Queries, names: readonly string[]): Promise<Zone[]> {
  return queries.selectFrom('zones').selectAll().where('name', 'in', names).execute();
}

export async function providerZones(queries: Queries): Promise<Zone[]> {
  return queries.selectFrom('zones').selectAll().where('account_id', 'is', null).orderBy('id').execute();
}

/** Returns the zones after this one, ordered by id. */
export async function zonesAfter(queries: Queries, after: number, limit: number): Promise<Zone[]> {
  return queries.selectFrom('zones').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

const zonesSerialName = 'zones serial';
/** Returns the serial of the catalog zone, which increases with every zone that is created or deleted. */
export async function zonesSerial(queries: Queries): Promise<number> {
  return Number(await metaFind(queries, zonesSerialName));
}
async function moveZonesSerial(queries: Queries): Promise<void> {
  await updateWhere(queries, 'meta', { name: zonesSerialName })
    .set({ value: sql<string>`cast(cast(value as integer) + 1 as text)` })
    .execute();
}

const insertVersion = prepared((queries: Queries, values: ZoneVersion) =>
  queries.insertInto('zone_versions').values(values),
);
const removeOldVersions = prepared((queries: Queries, values: { zone: number; upTo: number }) =>
  queries.deleteFrom('zone_versions').where('zone_id', '=', values.zone).where('version', '<=', values.upTo),
);
/** Inserts the version and deletes all but the newest `keep`. */
export async function zoneVersionInsert(queries: Queries, version: ZoneVersion, keep: number): Promise<void> {
  await insertVersion(queries, version);
  await removeOldVersions(queries, { zone: version.zone_id, upTo: version.version - keep });
}

/** Returns the newest first, before version `before`. */
export async function zoneVersionList(
  queries: Queries,
  zone: Zone,
  page: { readonly before?: number | undefined; readonly limit?: number | undefined },
): Promise<ZoneVersion[]> {
  let query = queries.selectFrom('zone_versions').selectAll().where('zone_id', '=', zone.id).orderBy('version', 'desc');
  if (page.before !== undefined) query = query.where('version', '<', page.before);
  if (page.limit !== undefined) query = query.limit(page.limit);
  return query.execute();
}
