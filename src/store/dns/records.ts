// Records of zones. Each is stored as the text that callers see and as the bytes that name servers send. `path` is the
// name with its labels reversed, so that everything below a name is a range of an index. Records are reached through
// their zone, which was loaded by its account.
import type { Insertable, Selectable } from 'kysely';
import { prepared, preparedRows } from '../engine/prepared.ts';
import { batches, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { Page, Zone } from './zones.ts';
import type { RecordTable } from './tables.ts';

export type DnsRecord = Selectable<RecordTable>;
export type NewRecord = Omit<DnsRecord, 'id' | 'zone_id' | 'path'>;

export function pathOf(name: string): string {
  return name.split('.').toReversed().join('.');
}

const listAll = prepared((queries: Queries, values: { zone: number }) =>
  queries.selectFrom('records').selectAll().where('zone_id', '=', values.zone).orderBy('id'),
);
export async function recordList(queries: Queries, zone: Zone): Promise<readonly DnsRecord[]> {
  return listAll(queries, { zone: zone.id });
}

export type ListedRecord = Pick<DnsRecord, 'id' | 'zone_id' | 'name' | 'type' | 'ttl' | 'content'>;
const mostRecords = Number.MAX_SAFE_INTEGER;
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
export async function recordPage(queries: Queries, zone: Zone, page: Page): Promise<readonly ListedRecord[]> {
  return listPage(queries, { zone: zone.id, after: page.after ?? 0, limit: page.limit ?? mostRecords });
}

export async function recordFind(queries: Queries, zone: Zone, id: number): Promise<DnsRecord | undefined> {
  return selectWhere(queries, 'records', { zone_id: zone.id, id }).selectAll().executeTakeFirst();
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
  const ids: number[] = [];
  for (const batch of batches(records)) {
    const rows = batch.map((record) => ({ ...record, zone_id: zone.id, path: pathOf(record.name) }));
    ids.push(...(await insert(queries, rows)).map(({ id }) => id));
  }
  return ids;
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

export async function recordRemove(queries: Queries, zone: Zone, ids: readonly number[]): Promise<void> {
  for (const batch of batches(ids))
    await queries.deleteFrom('records').where('zone_id', '=', zone.id).where('id', 'in', batch).execute();
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
