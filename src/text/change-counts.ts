// How many records a change of a zone adds, changes and removes, in words: `3 added, 1 changed`.
import { formatNumber, t } from './text.ts';

export interface ChangeCounts {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

export function changeCountsText({ added, changed, removed }: ChangeCounts): string {
  const parts = [
    added > 0 && t('{count} added', { count: formatNumber(added) }),
    changed > 0 && t('{count} changed', { count: formatNumber(changed) }),
    removed > 0 && t('{count} removed', { count: formatNumber(removed) }),
  ].filter((part) => part !== false);
  return parts.length === 0 ? t('no changes') : parts.join(', ');
}
