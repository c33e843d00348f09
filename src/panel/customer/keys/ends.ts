// Until when a key works: a span that is often wanted, or a day.
import type { Key } from '#sdk/v2.ts';

const daySeconds = 86_400;
const spans = { '30 days': 30, '90 days': 90, '1 year': 365 } as const;
export type End = 'as it is' | 'never' | 'day' | keyof typeof spans;

interface Choice {
  readonly value: End;
  readonly label: string;
}

/** What can be chosen. An end that is set can be moved, not taken away. */
export function endsFor(key: Key | undefined): Choice[] {
  const first: Choice =
    key === undefined ? { value: 'never', label: 'Never' } : { value: 'as it is', label: 'As it is' };
  const after = (Object.keys(spans) as (keyof typeof spans)[]).map((value) => ({ value, label: `In ${value}` }));
  return [first, ...after, { value: 'day', label: 'On a day…' }];
}

/** As the interface takes it: Unix seconds. A day counts to its end, where the viewer is. */
export function endOf(end: End, day: string, nowMs: number): number | undefined {
  if (end === 'never' || end === 'as it is') return undefined;
  if (end === 'day') return Math.floor(new Date(`${day}T23:59:59`).getTime() / 1000);
  return Math.floor(nowMs / 1000) + spans[end] * daySeconds;
}
