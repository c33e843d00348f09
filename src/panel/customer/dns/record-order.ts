// Filters and sorts the records of a zone, and decides which of them can be deleted.
import type { ZoneRecord } from '#sdk/v2.ts';
import { t } from '../../text/text.ts';
import type { VirtualSort } from '../../parts/virtual-table.tsx';

export type RecordColumn = 'name' | 'type' | 'content' | 'ttl';
export type RecordOrder = VirtualSort<RecordColumn>;
export interface RecordFilter {
  /** Words that must all occur, in any column. */
  readonly text: string;
  /** Empty for all types. */
  readonly type: string;
}

// Sorts host2 before host10.
const collator = new Intl.Collator('en', { numeric: true });

/** Tie-breaker: the zone apex comes before the names below it, SOA and NS before the other types. */
const typeRank: Readonly<Record<string, number>> = { SOA: 0, NS: 1 };

export function filterRecords(records: readonly ZoneRecord[], { text, type }: RecordFilter): readonly ZoneRecord[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0 && type === '') return records;
  return records.filter((record) => {
    if (type !== '' && record.type !== type) return false;
    const line = `${record.name} ${record.type} ${record.content} ${record.ttl}`.toLowerCase();
    return words.every((word) => line.includes(word));
  });
}

export function sortRecords(
  zone: string,
  records: readonly ZoneRecord[],
  { by, direction }: RecordOrder,
): readonly ZoneRecord[] {
  const sign = direction === 'ascending' ? 1 : -1;
  return records.toSorted(
    (left, right) => sign * compare(zone, by, left, right) || compareByDefault(zone, left, right),
  );
}

function compare(zone: string, by: RecordColumn, left: ZoneRecord, right: ZoneRecord): number {
  if (by === 'ttl') return Number(left.ttl) - Number(right.ttl);
  return by === 'name' ? compareByName(zone, left, right) : collator.compare(left[by], right[by]);
}

function compareByName(zone: string, left: ZoneRecord, right: ZoneRecord): number {
  if (left.name === right.name) return 0;
  if (left.name === zone || right.name === zone) return left.name === zone ? -1 : 1;
  return collator.compare(left.name, right.name);
}

function compareByDefault(zone: string, left: ZoneRecord, right: ZoneRecord): number {
  return (
    compareByName(zone, left, right) ||
    (typeRank[left.type] ?? 2) - (typeRank[right.type] ?? 2) ||
    collator.compare(left.type, right.type) ||
    collator.compare(left.content, right.content)
  );
}

/** Returns the record types in use, with the number of records of each. */
export function countTypes(records: readonly ZoneRecord[]): readonly (readonly [type: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { type } of records) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].toSorted(([left], [right]) => collator.compare(left, right));
}

/** Returns true for the records without which the zone would not resolve: its SOA and its own name servers. */
export function isEssential(zone: string, { type, name }: ZoneRecord): boolean {
  return type === 'SOA' || (type === 'NS' && name === zone);
}

/** Returns why these records cannot be deleted together, or undefined if they can. The API enforces the same rules. */
export function deletionBlockedReason(
  zone: string,
  records: readonly ZoneRecord[],
  deleted: readonly ZoneRecord[],
): string | undefined {
  const essential = deleted.filter((record) => isEssential(zone, record));
  if (essential.length === 0) return undefined;
  if (essential.some(({ type }) => type === 'SOA')) return t('A zone needs its SOA record.');
  const remains = ({ id, type, name }: ZoneRecord): boolean =>
    type === 'NS' && name === zone && !essential.some((record) => record.id === id);
  return records.some(remains) ? undefined : t('A zone needs at least one name server.');
}
