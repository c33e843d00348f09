// Which records of a zone are shown, and in which order.
import type { ZoneRecord } from '#sdk/v2.ts';

export type RecordColumn = 'name' | 'type' | 'content' | 'ttl';
export interface RecordOrder {
  readonly by: RecordColumn;
  readonly direction: 'ascending' | 'descending';
}
export interface RecordChoice {
  /** All of these words, in any of the columns. */
  readonly text: string;
  /** Empty for all. */
  readonly type: string;
}

// host2 before host10.
const words = new Intl.Collator('en', { numeric: true });

/** Of equals, what people expect first: the zone itself before what is below it, SOA and NS before the rest. */
const typeRank: Readonly<Record<string, number>> = { SOA: 0, NS: 1 };

export function chosenRecords(records: readonly ZoneRecord[], { text, type }: RecordChoice): readonly ZoneRecord[] {
  const sought = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (sought.length === 0 && type === '') return records;
  return records.filter((record) => {
    if (type !== '' && record.type !== type) return false;
    const line = `${record.name} ${record.type} ${record.content} ${record.ttl}`.toLowerCase();
    return sought.every((word) => line.includes(word));
  });
}

export function orderedRecords(
  zone: string,
  records: readonly ZoneRecord[],
  { by, direction }: RecordOrder,
): readonly ZoneRecord[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return records.toSorted((one, other) => sign * compare(zone, by, one, other) || byDefault(zone, one, other));
}

function compare(zone: string, by: RecordColumn, one: ZoneRecord, other: ZoneRecord): number {
  if (by === 'ttl') return Number(one.ttl) - Number(other.ttl);
  return by === 'name' ? byName(zone, one, other) : words.compare(one[by], other[by]);
}

function byName(zone: string, one: ZoneRecord, other: ZoneRecord): number {
  if (one.name === other.name) return 0;
  if (one.name === zone || other.name === zone) return one.name === zone ? -1 : 1;
  return words.compare(one.name, other.name);
}

function byDefault(zone: string, one: ZoneRecord, other: ZoneRecord): number {
  return (
    byName(zone, one, other) ||
    (typeRank[one.type] ?? 2) - (typeRank[other.type] ?? 2) ||
    words.compare(one.type, other.type) ||
    words.compare(one.content, other.content)
  );
}

/** The types that there are, with how many of each. */
export function typesAmong(records: readonly ZoneRecord[]): readonly (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted(([one], [other]) => words.compare(one, other));
}

/** What stands between a zone and the world: its SOA and its own name servers. */
export function isOfTheZone(zone: string, { type, name }: ZoneRecord): boolean {
  return type === 'SOA' || (type === 'NS' && name === zone);
}

/** Why these records cannot be taken away together; undefined where they can. The interface says the same. */
export function keptBecause(
  zone: string,
  records: readonly ZoneRecord[],
  gone: readonly ZoneRecord[],
): string | undefined {
  const ofZone = gone.filter((record) => isOfTheZone(zone, record));
  if (ofZone.length === 0) return undefined;
  if (ofZone.some(({ type }) => type === 'SOA')) return 'A zone cannot be without its SOA.';
  const stays = ({ id, type, name }: ZoneRecord): boolean =>
    type === 'NS' && name === zone && !ofZone.some((record) => record.id === id);
  return records.some(stays) ? undefined : 'A zone cannot be without a name server.';
}
