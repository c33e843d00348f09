// Records of zones. Each is stored as the text that callers see and as the bytes that name servers send. `path` is the
// name with its labels reversed, so that everything below a name is a range of an index. Records are reached through
// their zone, which was loaded by its account.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
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
  return queries
    .selectFrom('records')
    .selectAll()
    .where('zone_id', '=', zone.id)
    .where('id', '=', id)
    .executeTakeFirst();
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

const insertOne = prepared((queries: Queries, values: NewRecord & { zone: number; path: string }) =>
  queries
    .insertInto('records')
    .values({
      account_id: values.account_id,
      zone_id: values.zone,
      name: values.name,
      path: values.path,
      type: values.type,
      ttl: values.ttl,
      content: values.content,
      rdata: values.rdata,
      address: values.address,
    })
    .returning('id'),
);
const rowsAtOnce = 500;
/** Returns the new ids, in order. */
export async function recordInsert(queries: Queries, zone: Zone, records: readonly NewRecord[]): Promise<number[]> {
  if (records.length === 1) {
    const [record] = records as [NewRecord];
    const rows = await insertOne(queries, { ...record, zone: zone.id, path: pathOf(record.name) });
    return rows.map((row) => row.id);
  }
  const ids: number[] = [];
  for (let start = 0; start < records.length; start += rowsAtOnce) {
    const rows = await queries
      .insertInto('records')
      .values(
        records
          .slice(start, start + rowsAtOnce)
          .map((record) => ({ ...record, zone_id: zone.id, path: pathOf(record.name) })),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map((row) => row.id));
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
  for (let start = 0; start < ids.length; start += rowsAtOnce) {
    await queries
      .deleteFrom('records')
      .where('zone_id', '=', zone.id)
      .where('id', 'in', ids.slice(start, start + rowsAtOnce))
      .execute();
  }
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
  for (let start = 0; start < addresses.length; start += rowsAtOnce) {
    const rows = await queries
      .selectFrom('records')
      .selectAll()
      .where('zone_id', '=', zone.id)
      .where('address', 'in', addresses.slice(start, start + rowsAtOnce))
      .execute();
    records.push(...rows);
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
