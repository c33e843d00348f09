// The difference between two versions of a zone, as added, removed and changed records.
import type { ZoneDifference } from '#sdk/v2.ts';
import { changeCountsText } from '#text/change-counts.ts';

export type RecordLine = ZoneDifference['added'][number];
export interface DifferenceRow {
  readonly name: string;
  readonly type: string;
  /** Undefined if the record was added. */
  readonly before?: RecordLine;
  /** Undefined if the record was removed. */
  readonly after?: RecordLine;
}

/** Pairs removed and added records that have the same name and type into one change, in list order. */
export function differenceRows({
  added,
  removed,
}: Pick<ZoneDifference, 'added' | 'removed'>): readonly DifferenceRow[] {
  const unpaired = new Map<string, RecordLine[]>();
  for (const line of added) unpaired.set(recordKey(line), [...(unpaired.get(recordKey(line)) ?? []), line]);
  const removedOrChanged = removed.map((before) => {
    const after = unpaired.get(recordKey(before))?.shift();
    return { name: before.name, type: before.type, before, ...(after === undefined ? {} : { after }) };
  });
  const rest = [...unpaired.values()].flat().map((after) => ({ name: after.name, type: after.type, after }));
  return [...removedOrChanged, ...rest];
}

export function changeKind({ before, after }: DifferenceRow): 'added' | 'removed' | 'changed' {
  if (before === undefined) return 'added';
  return after === undefined ? 'removed' : 'changed';
}

/** Returns a summary such as `3 added, 1 changed`. */
export function differenceText(rows: readonly DifferenceRow[]): string {
  const count = (kind: ReturnType<typeof changeKind>): number => rows.filter((row) => changeKind(row) === kind).length;
  return changeCountsText({ added: count('added'), changed: count('changed'), removed: count('removed') });
}

function recordKey({ name, type }: RecordLine): string {
  return `${type} ${name}`;
}
