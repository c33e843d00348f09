// Records of zones. Each is stored as the text that callers see and as the bytes that name servers send. Records
// are reached through their zone, which was loaded by its account.
import type { Insertable, Selectable } from 'kysely';
import { pauseWork, type SlicePlace } from '#lib/slices.ts';
import { prepared, preparedRows, runInBatches } from '../engine/prepared.ts';
import { batches, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
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
  return readInPages(place, (page) => listAll(queries, { zone: zone.id, ...page }));
}

const recordsPerRead = 1000;
async function readInPages<Row extends { readonly id: number }>(
  place: SlicePlace,
  read: (page: { after: number; limit: number }) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read({ after: rows.at(-1)?.id ?? 0, limit: recordsPerRead });
    rows.push(...page);
    if (page.length < recordsPerRead) return rows;
    await pauseWork(place);
  }
}

const listInSets = prepared((queries: Queries, values: { zone: number }) =>
  queries
    .selectFrom('records')
    .select(['name', 'type', 'ttl', 'rdata'])
    .where('zone_id', '=', values.zone)
    .orderBy('path')
    .orderBy('type')
    .orderBy('id'),
);
/** Returns the zone as name servers need it, grouped by name and type. */
export async function recordSets(
  queries: Queries,
  zone: Zone,
): Promise<readonly Pick<DnsRecord, 'name' | 'type' | 'ttl' | 'rdata'>[]> {
  return listInSets(queries, { zone: zone.id });
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
/**
 * Without the bytes that only name servers need, which are expensive to read. Like `recordList`, the caller must compare
 * the zone's revision if it reads all of a large one.
 */
export async function recordPage(queries: Queries, zone: Zone, page: Page): Promise<readonly ListedRecord[]> {
  const { after = 0, limit } = page;
  if (limit !== undefined) return listPage(queries, { zone: zone.id, after, limit });
  return readInPages('outside a transaction', (inner) =>
    listPage(queries, { zone: zone.id, after: Math.max(after, inner.after), limit: inner.limit }),
  );
}

export async function recordFind(queries: Queries, zone: Zone, id: number): Promise<DnsRecord | undefined> {
  return selectWhere(queries, 'records', { zone_id: zone.id, id }).selectAll().executeTakeFirst();
}

/** Returns those of these records that are in the zone, ordered by id. */
export async function recordsById(queries: Queries, zone: Zone, ids: readonly number[]): Promise<DnsRecord[]> {
  const records: DnsRecord[] = [];
  for (const batch of batches(ids)) {
    const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).selectAll();
    records.push(...(await ofZone.where('id', 'in', batch).execute()));
  }
  return records.toSorted((left, right) => left.id - right.id);
}

const atNameAndApex = prepared((queries: Queries, values: { zone: number; path: string; apexPath: string }) =>
  queries
    .selectFrom('records')
    .selectAll()
    .where('zone_id', '=', values.zone)
    .where('path', 'in', [values.path, values.apexPath])
    .orderBy('id'),
);
/** Returns the records at the name and at the zone's apex. */
export async function recordsAt(queries: Queries, zone: Zone, name: string): Promise<readonly DnsRecord[]> {
  return atNameAndApex(queries, { zone: zone.id, path: pathOf(name), apexPath: pathOf(zone.name) });
}

const insert = preparedRows((queries: Queries, records: readonly Insertable<RecordTable>[]) =>
  queries.insertInto('records').values(records).returning('id'),
);
/** Returns the new ids, in order. */
export async function recordInsert(queries: Queries, zone: Zone, records: readonly NewRecord[]): Promise<number[]> {
  const rows = records.map((record) => ({ ...record, zone_id: zone.id, path: pathOf(record.name) }));
  return (await runInBatches(insert, queries, rows)).map(({ id }) => id);
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
  await runInBatches(overwrite, queries, records);
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
  await runInBatches(
    remove,
    queries,
    ids.map((id) => ({ zone: zone.id, id })),
  );
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
  const records: DnsRecord[] = [];
  for (const batch of batches(addresses)) {
    const ofZone = selectWhere(queries, 'records', { zone_id: zone.id }).selectAll();
    records.push(...(await ofZone.where('address', 'in', batch).execute()));
  }
  return records;
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
