// Queries of the built-in name server: each question is one query on an index, compiled once, without the machinery of
// the others. Lists of names are padded to a few lengths, so that few statements have to be compiled.
import { prepared } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { pathOf, type DnsRecord } from './records.ts';
import type { Zone } from './zones.ts';

export type SourceZone = Pick<Zone, 'id' | 'name'>;
export type SourceRecord = Pick<DnsRecord, 'name' | 'type' | 'ttl' | 'rdata'>;

type Slots = Record<`n${number}`, string>;
/** A name has at most 127 labels, and each but the first is looked up with its wildcard. */
const lengths = [4, 8, 24, 80, 256];

function byLength<Values extends object, Row>(
  make: (slots: (values: Slots) => string[]) => (queries: Queries, values: Slots & Values) => Promise<readonly Row[]>,
): (queries: Queries, names: readonly string[], values: Values) => Promise<readonly Row[]> {
  const variants = lengths.map((length) => ({
    length,
    run: make((values) => Array.from({ length }, (_, index) => values[`n${index}`]!)),
  }));
  return (queries, names, values) => {
    const { length, run } = variants.find((variant) => names.length <= variant.length)!;
    const slots: Slots = {};
    for (let index = 0; index < length; index++) slots[`n${index}`] = names[index] ?? names[0]!;
    return run(queries, { ...slots, ...values });
  };
}

const zonesByName = byLength<object, SourceZone>((slots) =>
  prepared((queries, values) => queries.selectFrom('zones').select(['id', 'name']).where('name', 'in', slots(values))),
);
/** Returns those of the names that are zones. */
export async function sourceZones(queries: Queries, names: readonly string[]): Promise<readonly SourceZone[]> {
  return names.length === 0 ? [] : zonesByName(queries, names, {});
}

function recordsOfZone(queries: Queries, zone: number) {
  const records = selectWhere(queries, 'records', { zone_id: zone }).select(['name', 'type', 'ttl', 'rdata']);
  return records.orderBy('path').orderBy('type').orderBy('id');
}

const recordsByPath = byLength<{ zone: number }, SourceRecord>((slots) =>
  prepared((queries, values) => recordsOfZone(queries, values.zone).where('path', 'in', slots(values))),
);
/** Returns the records at these names, grouped by name and type. */
export async function sourceRecords(
  queries: Queries,
  zone: number,
  names: readonly string[],
): Promise<readonly SourceRecord[]> {
  return names.length === 0 ? [] : recordsByPath(queries, names.map(pathOf), { zone });
}

const firstBelow = prepared((queries: Queries, values: { zone: number; from: string; to: string }) =>
  queries
    .selectFrom('records')
    .select('id')
    .where('zone_id', '=', values.zone)
    .where('path', '>', values.from)
    .where('path', '<', values.to)
    .limit(1),
);
/**
 * Returns true if there is any record below the name. In ASCII the slash follows the dot, so the range contains
 * nothing else.
 */
export async function sourceHasBelow(queries: Queries, zone: number, name: string): Promise<boolean> {
  const path = pathOf(name);
  return (await firstBelow(queries, { zone, from: `${path}.`, to: `${path}/` })).length > 0;
}

const wholeZone = prepared((queries: Queries, values: { zone: number }) => recordsOfZone(queries, values.zone));
export async function sourceWholeZone(queries: Queries, zone: number): Promise<readonly SourceRecord[]> {
  return wholeZone(queries, { zone });
}

export async function sourceAllZones(queries: Queries): Promise<readonly SourceZone[]> {
  return queries.selectFrom('zones').select(['id', 'name']).orderBy('id').execute();
}
