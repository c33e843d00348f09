// Queries of the built-in name server. Each is one statement on an index, whatever the name and the zone. Lists of
// names are padded to a few lengths, so that few statements have to be prepared.
import type { Selectable } from 'kysely';
import type { Reader } from '../engine/reader.ts';
import { pathOf } from './path.ts';
import type { RecordTable, ZoneTable } from './tables.ts';

export type SourceZone = Pick<Selectable<ZoneTable>, 'id' | 'name'>;
export type SourceRecord = Pick<Selectable<RecordTable>, 'name' | 'type' | 'ttl' | 'rdata'>;

/** A name has at most 127 labels; together with the root and a wildcard, 129 names are looked up for it at most. */
const slotsByLength = [2, 4, 8, 24, 129].map((length) => ({ length, slots: Array(length).fill('?').join() }));

async function readByNames<Row>(
  reader: Reader,
  sql: (slots: string) => string,
  values: readonly unknown[],
  names: readonly string[],
): Promise<Row[]> {
  if (names.length === 0) return [];
  const { length, slots } = slotsByLength.find((candidate) => names.length <= candidate.length)!;
  const padding = Array.from({ length: length - names.length }, () => names[0]!);
  return reader.read(sql(slots), [...values, ...names, ...padding]);
}

/** Returns those of the names that are zones. */
export async function sourceZones(reader: Reader, names: readonly string[]): Promise<readonly SourceZone[]> {
  return readByNames(reader, (slots) => `select id, name from zones where name in (${slots})`, [], names);
}

const recordsOfZone = 'select name, type, ttl, rdata from records where zone_id = ?';
const inSets = 'order by path, type, id';

/** Returns the records at these names, grouped by name and type. */
export async function sourceRecords(
  reader: Reader,
  zone: number,
  names: readonly string[],
): Promise<readonly SourceRecord[]> {
  const paths = names.map(pathOf);
  return readByNames(reader, (slots) => `${recordsOfZone} and path in (${slots}) ${inSets}`, [zone], paths);
}

/**
 * Returns the longest of the names that has records below it. They lead from a name up to the zone's apex, and the apex
 * is returned if there is none. In the order of the paths, the names below each of them are neighbours of the first
 * one's, so two steps from there are enough.
 */
export async function sourceDeepestParent(reader: Reader, zone: number, names: readonly string[]): Promise<string> {
  const below = `${pathOf(names[0]!)}.`;
  const neighbour = (comparison: string): string =>
    `(select path from records where zone_id = ? and path ${comparison} limit 1)`;
  const [row] = await reader.read<{ before: string | null; after: string | null }>(
    `select ${neighbour('< ? order by path desc')} as before, ${neighbour('>= ? order by path')} as after`,
    [zone, below, zone, below],
  );
  const shared = Math.max(countSharedCharacters(below, row?.before), countSharedCharacters(below, row?.after));
  // The path of an ancestor is as long as its name and begins the path of the name, followed by a dot.
  return names.find((name) => name.length < shared) ?? names.at(-1)!;
}

function countSharedCharacters(path: string, other: string | null | undefined): number {
  let count = 0;
  while (count < path.length && path[count] === other?.[count]) count++;
  return count;
}

/**
 * Returns true if there is any record below the name. In ASCII the slash follows the dot, so the range contains
 * nothing else.
 */
export async function sourceHasBelow(reader: Reader, zone: number, name: string): Promise<boolean> {
  const path = pathOf(name);
  const sql = 'select id from records where zone_id = ? and path > ? and path < ? limit 1';
  return (await reader.read(sql, [zone, `${path}.`, `${path}/`])).length > 0;
}

export async function sourceWholeZone(reader: Reader, zone: number): Promise<readonly SourceRecord[]> {
  return reader.read(`${recordsOfZone} ${inSets}`, [zone]);
}

export async function sourceAllZones(reader: Reader): Promise<readonly SourceZone[]> {
  return reader.read('select id, name from zones order by id', []);
}

/** The name of the catalog zone's serial in `meta`. */
export const zonesSerialEntry = 'zones serial';
/** Returns the serial of the catalog zone, which increases with every zone that is created or deleted. */
export async function sourceZonesSerial(reader: Reader): Promise<number> {
  const [row] = await reader.read<{ value: string }>('select value from meta where name = ?', [zonesSerialEntry]);
  return Number(row?.value);
}
