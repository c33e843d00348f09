// Zones and their versions. A change locks its zone first by incrementing its revision, which on PostgreSQL holds the
// row until the transaction ends, so that the second of two changes sees the first.
import { sql, type Selectable } from 'kysely';
import { Type } from 'typebox';
import { prepared, preparedRows, runInBatches } from '../engine/prepared.ts';
import { countRows, putRow, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import { pathOf } from './path.ts';
import type { ZoneTable, ZoneVersionTable } from './tables.ts';
import { zonesSerialEntry } from './zone-source.ts';

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
export async function zoneList(
  queries: Queries,
  account: AccountId,
  page: Page & { readonly names?: readonly string[] | undefined },
): Promise<Zone[]> {
  let query = queries.selectFrom('zones').selectAll().where('account_id', '=', account).orderBy('id');
  if (page.after !== undefined) query = query.where('id', '>', page.after);
  if (page.limit !== undefined) query = query.limit(page.limit);
  if (page.names !== undefined) query = query.where('name', 'in', page.names);
  return query.execute();
}

/** Returns the names of those of these zones that the account has, by id. */
export async function zoneNames(
  queries: Queries,
  account: AccountId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const ofAccount = selectWhere(queries, 'zones', { account_id: account }).select(['id', 'name']);
  const rows = await rowsInBatches(ids, (batch) => ofAccount.where('id', 'in', batch));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function zoneCount(queries: Queries, account: AccountId): Promise<number> {
  return countRows(selectWhere(queries, 'zones', { account_id: account }));
}

const totalRecords = prepared((queries: Queries, values: { account: AccountId }) =>
  queries
    .selectFrom('zones')
    .select((select) => select.fn.sum<number | string | null>('record_count').as('total'))
    .where('account_id', '=', values.account),
);
/** Returns how many records the account's zones have together. */
export async function zoneRecordsTotal(queries: Queries, account: AccountId): Promise<number> {
  return Number((await totalRecords(queries, { account }))[0]?.total ?? 0);
}

/** The name must be free, which is certain only after `zoneNamesLock`. */
export async function zoneInsert(
  queries: Queries,
  zone: Pick<Zone, 'account_id' | 'name' | 'kind' | 'created_at'>,
): Promise<Zone> {
  return queries
    .insertInto('zones')
    .values({ ...zone, path: pathOf(zone.name), revision: 1, record_count: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Keeps the serial for longer than any secondary serves a zone without its primary. */
const formerZoneMs = 60 * 86_400_000;
export async function zoneRemove(
  queries: Queries,
  { id, name }: Zone,
  { serial, now }: { readonly serial: number; readonly now: number },
): Promise<void> {
  await zoneNamesLock(queries);
  await queries.deleteFrom('zones').where('id', '=', id).execute();
  await queries
    .deleteFrom('former_zones')
    .where('deleted_at', '<', now - formerZoneMs)
    .execute();
  await putRow(queries, 'former_zones', ['name'], { name, serial, deleted_at: now });
}

/** Returns the last serial of a deleted zone of this name. */
export async function formerSerial(queries: Queries, name: string): Promise<number | undefined> {
  return (await selectWhere(queries, 'former_zones', { name }).select('serial').executeTakeFirst())?.serial;
}

const recount = prepared((queries: Queries, values: { id: number; more: number }) =>
  updateWhere(queries, 'zones', { id: values.id })
    .set((set) => ({ record_count: set('record_count', '+', values.more) }))
    .returning('id'),
);
export async function zoneRecount(queries: Queries, zone: Zone, more: number): Promise<void> {
  await recount(queries, { id: zone.id, more });
}

const findNamed = preparedRows((queries: Queries, zones: readonly { readonly name: string }[]) =>
  queries
    .selectFrom('zones')
    .selectAll()
    .where(
      'name',
      'in',
      zones.map(({ name }) => name),
    ),
);
/** Returns the zones of these names, of any account. */
export function zonesNamed(queries: Queries, names: readonly string[]): Promise<Zone[]> {
  return runInBatches(findNamed, queries, names, (name) => ({ name }));
}

/** Returns the zones at this name and below it, of any account. */
export async function zonesWithin(queries: Queries, name: string): Promise<Zone[]> {
  const path = pathOf(name);
  return queries
    .selectFrom('zones')
    .selectAll()
    .where((where) =>
      where.or([where('path', '=', path), where.and([where('path', '>', `${path}.`), where('path', '<', `${path}/`)])]),
    )
    .orderBy('id')
    .execute();
}

export async function providerZones(queries: Queries): Promise<Zone[]> {
  return queries.selectFrom('zones').selectAll().where('account_id', 'is', null).orderBy('id').execute();
}

/** Returns the zones after this one, ordered by id. */
export async function zonesAfter(queries: Queries, after: number, limit: number): Promise<Zone[]> {
  return queries.selectFrom('zones').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
}

/**
 * Increments the serial of the catalog zone, and so holds back everyone else who creates or deletes a zone until the transaction ends: of
 * two accounts that want overlapping names, the second sees the zone of the first.
 */
export async function zoneNamesLock(queries: Queries): Promise<void> {
  await updateWhere(queries, 'meta', { name: zonesSerialEntry })
    .set({ value: sql<string>`cast(cast(value as integer) + 1 as text)` })
    .execute();
}

const insertVersion = prepared((queries: Queries, values: ZoneVersion) =>
  queries.insertInto('zone_versions').values(values),
);
/** Counts them, because not every revision of a zone is a version. */
const removeOldVersions = prepared((queries: Queries, values: { zone: number; kept: number }) =>
  queries
    .deleteFrom('zone_versions')
    .where('zone_id', '=', values.zone)
    .where('version', '<=', (select) =>
      select
        .selectFrom('zone_versions')
        .select('version')
        .where('zone_id', '=', values.zone)
        .orderBy('version', 'desc')
        .limit(1)
        .offset(values.kept),
    ),
);
/** Inserts the version and deletes those that exceed what is kept of a zone, the oldest first. */
export async function zoneVersionInsert(
  queries: Queries,
  version: ZoneVersion,
  kept: { readonly versions: number; readonly bytes: number },
): Promise<void> {
  await insertVersion(queries, version);
  let count = kept.versions;
  // As many small versions as are kept do not exceed the bytes.
  if (version.added.length + version.removed.length > kept.bytes / kept.versions) {
    const sizes = await zoneVersionSizes(queries, version.zone_id, { limit: kept.versions });
    let bytes = 0;
    const surplus = sizes.findIndex((size) => (bytes += size.bytes) > kept.bytes && size.version < version.version);
    if (surplus >= 0) count = surplus;
  }
  if (version.version > count) await removeOldVersions(queries, { zone: version.zone_id, kept: count });
}

/** Returns the sizes of versions without reading them: the newest first, before version `before`. */
export async function zoneVersionSizes(
  queries: Queries,
  zone: number,
  page: { readonly before?: number | undefined; readonly limit: number },
): Promise<{ version: number; bytes: number }[]> {
  let query = selectWhere(queries, 'zone_versions', { zone_id: zone })
    .select(['version', sql<number>`octet_length(added) + octet_length(removed)`.as('bytes')])
    .orderBy('version', 'desc')
    .limit(page.limit);
  if (page.before !== undefined) query = query.where('version', '<', page.before);
  return query.execute();
}

export async function zoneVersionFind(queries: Queries, zone: Zone, version: number): Promise<ZoneVersion | undefined> {
  return selectWhere(queries, 'zone_versions', { zone_id: zone.id, version }).selectAll().executeTakeFirst();
}
