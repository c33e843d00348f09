// Records of zones. Each is stored as the text that callers see and as the bytes that name servers send. Records
// are reached through their zone, which was loaded by its account.
import type { Insertable, Selectable } from 'kysely';
import { pauseWork, type SlicePlace } from '#lib/slices.ts';
import { prepared, preparedRows, runInBatches } from '../engine/prepared.ts';
import { rowsInBatches, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { aliasAddressesOfZone } from './aliases.ts';
import { pathOf } from './path.ts';
import type { Page, Zone } from './zones.ts';
import type { RecordTable } from './tables.ts';

export type DnsRecord = Selectable<RecordTable>;
export type NewRecord = Omit<DnsRecord, 'id' | 'zone_id' | 'path'>;

const listAll = prepared((queries: Queries, values: { zone: number; after: number; limit: number }) =>
  queries
    .selectFrom('records')
    .selectAll()
    .where('zone_id', '=', values.zone)
    .where('id', '>', values.after)
    .orderBy('id')
    .limit(values.limit),
);
/** Other requests run between the reads of a large zone, so the caller must have locked it, or compare its revision. */
export async function recordList(queries: Queries, zone: Zone, place: SlicePlace): Promise<readonly DnsRecord[]> {
  const records: DnsRecord[] = [];
  const read = ({ id }: { id: number }, limit: number) => listAll(queries, { zone: zone.id, after: id, limit });
  for await (const page of readInPages(place, { id: 0 }, read)) records.push(...page);
  return records;
}

/** One or two milliseconds of work. */
export const recordsPerPage = 250;

/** Reads page by page, each after the last row of the one before. */
async function* readInPages<Start, Row extends Start>(
  place: SlicePlace,
  start: Start,
  read: (after: Start, limit: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after = start; ; await pauseWork(place)) {
    const page = await read(after, recordsPerPage);
    yield page;
    if (page.length < recordsPerPage) return;
    after = page.at(-1)!;
  }
}

const listByPath = prepared((queries: Queries, values: { zone: number; path: string; id: number; limit: number }) =>
  queries
    .selectFrom('records')
    .select(['id', 'path', 'name', 'type', 'ttl', 'rdata'])
    .where('zone_id', '=', values.zone)
    .where('path', '>=', values.path)
    .where((where) => where.or([where('path', '>', values.path), where('id', '>', values.id)]))
    .orderBy('path')
    .orderBy('id')
    .limit(values.limit),
);
/** Yields all records, name by name, and never a part of a name's. */
export async function* recordsByName(queries: Queries, zone: Zone) {
  let incomplete: Awaited<ReturnType<typeof listByPath>> = [];
  const pages = readInPages('outside a transaction', { path: '', id: 0 }, ({ path, id }, limit) =>
    listByPath(queries, { zone: zone.id, path, id, limit }),
  );
  for await (const page of pages) {
    const records = [...incomplete, ...page];
    const complete = records.findIndex(({ path }) => path === records.at(-1)!.path);
    yield records.slice(0, complete);
    incomplete = records.slice(complete);
  }
  yield incomplete;
}

/** Ours and PowerDNS's number of the type ALIAS. */
const aliasType = 65401;
const listInSets = prepared((queries: Queries, values: { zone: number }) =>
  queries
    .selectFrom('records')
    .select(['name', 'type', 'ttl', 'rdata'])
    .where('zone_id', '=', values.zone)
    .where('type', '<>', aliasType)
    .orderBy('path')
    .orderBy('type')
    .orderBy('id'),
);
/** Returns the zone as name servers need it, grouped by name and type: with addresses instead of ALIAS records. */
export async function recordSets(
  queries: Queries,
  zone: Zone,
): Promise<readonly Pick<DnsRecord, 'name' | 'type' | 'ttl' | 'rdata'>[]> {
  const [records, addresses] = [
    await listInSets(queries, { zone: zone.id }),
    await aliasAddressesOfZone(queries, zone),
  ];
  return [...records, ...addresses];
}

export type ListedRecord = Pick<DnsRecord, 'id' | 'zone_id' | 'name' | 'type' | 'ttl' | 'content'>;
const listPage = prepared((queries: Queries, values: { zone: number; after: number; limit: number }) =>
  queries
    .selectFrom('records')
    .select(['id', 'zone_id', 'name', 'type', 'ttl', 'content'])
    .where('zone_id', '=', values.zone)
    .where('id', '>', values.after)
    .orderBy('id')
    .limit(values.limit),
);
/** Without the bytes that only name servers need, which are expensive to read. */
export async function recordPage(
  queries: Queries,
  zone: Zone,
  { after = 0, limit }: Page & { readonly limit: number },
): Promise<readonly ListedRecord[]> {
  return listPage(queries, { zone: zone.id, after, limit });
}

/** Like `recordPage`, for all records after this one. Like for `recordList`, the caller must compare the revision. */
export function recordPages(queries: Queries, zone: Zone, after: number): AsyncGenerator<readonly ListedRecord[]> {
  return readInPages('outside a transaction', { id: after }, ({ id }, limit) =>
    listPage(queries, { zone: zone.id, after: id, limit }),
  );
}

export async function recordFind(queries: Queries, zone: Zone, id: number): Promise<DnsRecord | undefined> {
  return selectWhere(queries, 'records', { zone_id: zone.id, id }).selectAll().executeTakeFirst();
}

/** Returns those of these records that are in the zone, ordered by id. */
export async function recordsById(queries: Queries, zone: Zone, ids: readonly number[]): Promise<DnsRecord[]> {
  const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).selectAll();
  const records = await rowsInBatches(ids, (batch) => ofZone.where('id', 'in', batch));
  return records.toSorted((left, right) => left.id - right.id);
}

const atNameAndApex = prepared((queries: Queries, values: { zone: number; path: string; apexPath: string }) =>
  queries
    .selectFrom('records')
    .selectAll()
    .where('zone_id', '=', values.zone)
    .where('path', 'in', [values.path, values.apexPath]),
);
/** Returns the records at the name and at the zone's apex, ordered by id. */
export async function recordsAt(queries: Queries, zone: Zone, name: string): Promise<readonly DnsRecord[]> {
  const records = await atNameAndApex(queries, { zone: zone.id, path: pathOf(name), apexPath: pathOf(zone.name) });
  // Ordered by the database, SQLite would read the whole zone in the order of its ids.
  return records.toSorted((left, right) => left.id - right.id);
}

/** Returns the records at these names, ordered by id. */
export async function recordsAtNames(queries: Queries, zone: Zone, names: readonly string[]): Promise<DnsRecord[]> {
  const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).selectAll();
  const records = await rowsInBatches(names, (batch) => ofZone.where('path', 'in', batch.map(pathOf)));
  return records.toSorted((left, right) => left.id - right.id);
}

const insert = preparedRows((queries: Queries, records: readonly Insertable<RecordTable>[]) =>
  queries.insertInto('records').values(records).returning('id'),
);
/** Returns the new ids, in order. */
export async function recordInsert(queries: Queries, zone: Zone, records: readonly NewRecord[]): Promise<number[]> {
  const rowOf = (record: NewRecord) => ({ ...record, zone_id: zone.id, path: pathOf(record.name) });
  return (await runInBatches(insert, queries, records, rowOf)).map(({ id }) => id);
}

const updateOne = prepared(
  (queries: Queries, values: Pick<DnsRecord, 'id' | 'ttl' | 'content' | 'rdata'> & { account: AccountId | null }) =>
    queries
      .updateTable('records')
      .set({ ttl: values.ttl, content: values.content, rdata: values.rdata, account_id: values.account })
      .where('id', '=', values.id)
      .returning('id'),
);
export async function recordUpdate(
  queries: Queries,
  record: DnsRecord,
  change: Pick<DnsRecord, 'ttl' | 'content' | 'rdata' | 'account_id'>,
): Promise<void> {
  const { account_id: account, ...rest } = change;
  await updateOne(queries, { ...rest, account, id: record.id });
}

const overwrite = preparedRows((queries: Queries, records: readonly DnsRecord[]) =>
  queries
    .insertInto('records')
    .values(records)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        ttl: row.ref('excluded.ttl'),
        content: row.ref('excluded.content'),
        rdata: row.ref('excluded.rdata'),
        account_id: row.ref('excluded.account_id'),
      })),
    )
    .returning('id'),
);
/** Updates many existing records, for which an upsert needs far fewer statements. */
export async function recordUpdateMany(queries: Queries, records: readonly DnsRecord[]): Promise<void> {
  await runInBatches(overwrite, queries, records, (record) => record);
}

const remove = preparedRows((queries: Queries, records: readonly { zone: number; id: number }[]) =>
  queries
    .deleteFrom('records')
    .where('zone_id', '=', records[0]!.zone)
    .where(
      'id',
      'in',
      records.map(({ id }) => id),
    )
    .returning('id'),
);
export async function recordRemove(queries: Queries, zone: Zone, ids: readonly number[]): Promise<void> {
  await runInBatches(remove, queries, ids, (id) => ({ zone: zone.id, id }));
}

/** Returns the PTR records of this account's addresses within a range. */
export async function recordsOfAddresses(
  queries: Queries,
  account: AccountId,
  range: { readonly first: string; readonly last: string },
): Promise<DnsRecord[]> {
  return queries
    .selectFrom('records')
    .selectAll()
    .where('address', '>=', range.first)
    .where('address', '<=', range.last)
    .where('account_id', '=', account)
    .orderBy('address')
    .execute();
}

/** Returns the PTR records of these addresses in a zone of the provider, whoever set them. */
export async function recordsOfReverse(
  queries: Queries,
  zone: Zone,
  addresses: readonly string[],
): Promise<DnsRecord[]> {
  const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).selectAll();
  return rowsInBatches(addresses, (batch) => ofZone.where('address', 'in', batch));
}

/** Returns PTR records whose address is no longer assigned to the account that set them. */
export async function recordsOfLostAddresses(queries: Queries): Promise<DnsRecord[]> {
  return queries
    .selectFrom('records')
    .selectAll('records')
    .where('address', 'is not', null)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('netblocks')
            .select('netblocks.id')
            .whereRef('netblocks.account_id', '=', 'records.account_id')
            .whereRef('netblocks.first', '<=', 'records.address')
            .whereRef('netblocks.last', '>=', 'records.address'),
        ),
      ),
    )
    .execute();
}

/** Returns the longest TTL of the zone's records, in seconds. */
export async function maxRecordTtl(queries: Queries, zone: Pick<Zone, 'id'>): Promise<number> {
  const longest = selectWhere(queries, 'records', { zone_id: zone.id }).select((select) =>
    select.fn.max('ttl').as('ttl'),
  );
  return Number((await longest.executeTakeFirst())?.ttl ?? 0);
}
