// A difference between two states of a zone as people read it: what is new, what is gone, and what changed in its place.
import type { ZoneDifference } from '#sdk/v2.ts';

export type RecordLine = ZoneDifference['added'][number];
export interface DifferenceRow {
  readonly name: string;
  readonly type: string;
  /** Absent where the record is new. */
  readonly before?: RecordLine;
  /** Absent where it is gone. */
  readonly after?: RecordLine;
}

/** A record that went and one that came at the same name and of the same type are one change, in the order of the lists. */
export function differenceRows({
  added,
  removed,
}: Pick<ZoneDifference, 'added' | 'removed'>): readonly DifferenceRow[] {
  const waiting = new Map<string, RecordLine[]>();
  for (const line of added) waiting.set(placeOf(line), [...(waiting.get(placeOf(line)) ?? []), line]);
  const gone = removed.map((before) => {
    const after = waiting.get(placeOf(before))?.shift();
    return { name: before.name, type: before.type, before, ...(after === undefined ? {} : { after }) };
  });
  const come = [...waiting.values()].flat().map((after) => ({ name: after.name, type: after.type, after }));
  return [...gone, ...come];
}

export function differenceCounts(rows: readonly DifferenceRow[]): { added: number; removed: number; changed: number } {
  const counts = { added: 0, removed: 0, changed: 0 };
  for (const row of rows) counts[kindOf(row)] += 1;
  return counts;
}

export function kindOf({ before, after }: DifferenceRow): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** In a few words: `3 added, 1 changed`. */
export function differenceText(rows: readonly DifferenceRow[]): string {
  const counts = differenceCounts(rows);
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) =>
    counts[kind] === 0 ? [] : [`${counts[kind].toLocaleString('en-GB')} ${kind}`],
  );
  return parts.length === 0 ? 'nothing changed' : parts.join(', ');
}

function placeOf({ name, type }: RecordLine): string {
  return `${type} ${name}`;
}
