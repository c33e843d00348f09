// How many records a change of a zone adds, changes and removes, in words: `3 added, 1 changed`.

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function changeCountsText({ added, changed, removed }: ChangeCounts): string {
  const parts = Object.entries({ added, changed, removed }).flatMap(([kind, count]) =>
    count === 0 ? [] : `${count.toLocaleString('en-GB')} ${kind}`,
  );
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}
