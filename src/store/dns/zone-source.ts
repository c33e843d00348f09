// What the built-in name server reads: everything when it starts, and afterwards what has changed. Of an ALIAS record it
// gets the addresses that are served instead.
import type { Selectable } from 'kysely';
import type { Reader } from '../engine/reader.ts';
import type { RecordTable, ZoneTable } from './tables.ts';

export type SourceZone = Pick<Selectable<ZoneTable>, 'id' | 'name'>;
export type SourceRecord = Pick<Selectable<RecordTable>, 'name' | 'type' | 'ttl' | 'rdata'>;

/** `rrTypes.ALIAS` of the module protocols, which the store cannot import. */
const aliasType = 65401;
const zoneColumns = 'select id, name from zones';

export async function sourceZones(reader: Reader): Promise<readonly SourceZone[]> {
  return reader.read(`${zoneColumns} order by id`, []);
}

export async function sourceZone(reader: Reader, id: number): Promise<SourceZone | undefined> {
  return (await reader.read<SourceZone>(`${zoneColumns} where id = ?`, [id]))[0];
}

const recordsPerPage = 5000;
/** With the rdata in hexadecimal digits, which takes a third of the time that as many objects for bytes do. */
type PagedRecord = Omit<SourceRecord, 'rdata'> & {
  readonly id: number;
  readonly zone_id: number;
  readonly hex: string;
};
const hexadecimal = { sqlite: 'hex(rdata)', postgres: "encode(rdata, 'hex')" };

/** Yields the records of all zones, in the order of their ids. */
export async function* sourceRecords(reader: Reader): AsyncGenerator<readonly PagedRecord[]> {
  const columns = `id, zone_id, name, type, ttl, ${hexadecimal[reader.engine]} as hex`;
  const sql = `select ${columns} from records where id > ? and type <> ${aliasType} order by id limit ${recordsPerPage}`;
  for (let after = 0; ;) {
    const page = await reader.read<PagedRecord>(sql, [after]);
    yield page;
    if (page.length < recordsPerPage) return;
    after = page.at(-1)!.id;
  }
}

/** Returns what is served instead of the ALIAS records of all zones. */
export async function sourceAliasAddresses(
  reader: Reader,
): Promise<readonly (SourceRecord & { readonly zone_id: number })[]> {
  return reader.read(
    `select records.zone_id, records.name, address.type, address.ttl, address.rdata
from alias_addresses as address join records on records.id = address.record_id
order by address.record_id, address.type, address.rdata`,
    [],
  );
}

/** Returns the records at these paths of a zone, or all of them. */
export async function sourceRecordsOf(
  reader: Reader,
  zone: number,
  paths: readonly string[] | 'all',
): Promise<readonly SourceRecord[]> {
  if (paths === 'all') return readRecords(reader, '', [zone]);
  const records: SourceRecord[] = [];
  for (let start = 0; start < paths.length; start += pathsPerQuery) {
    const some = paths.slice(start, start + pathsPerQuery);
    // Padded to one of two lengths, so that few statements have to be prepared.
    const length = some.length <= fewPaths ? fewPaths : pathsPerQuery;
    const padded = [...some, ...Array<string>(length - some.length).fill(some[0]!)];
    records.push(...(await readRecords(reader, `and path in (${Array(length).fill('?').join()})`, [zone, ...padded])));
  }
  return records;
}

const fewPaths = 4;
const pathsPerQuery = 128;

async function readRecords(reader: Reader, condition: string, values: readonly unknown[]): Promise<SourceRecord[]> {
  const column = (name: string): string => `coalesce(address.${name}, records.${name}) as ${name}`;
  const records = await reader.read<SourceRecord & { readonly id: number }>(
    `select records.id, records.name, ${['type', 'ttl', 'rdata'].map(column).join()} from records
left join alias_addresses as address on records.type = ${aliasType} and address.record_id = records.id
where zone_id = ? ${condition} and (records.type <> ${aliasType} or address.record_id is not null)`,
    values,
  );
  // Ordered by the database, SQLite would read the whole zone in the order of its ids.
  return records.toSorted((left, right) => left.id - right.id || Buffer.compare(left.rdata, right.rdata));
}

/** The name of the catalog zone's serial in `meta`. */
export const zonesSerialEntry = 'zones serial';
/** Returns the serial of the catalog zone, which increases with every zone that is created or deleted. */
export async function sourceZonesSerial(reader: Reader): Promise<number> {
  const [row] = await reader.read<{ value: string }>('select value from meta where name = ?', [zonesSerialEntry]);
  return Number(row?.value);
}
