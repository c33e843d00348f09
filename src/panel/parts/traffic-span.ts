// The time range of a traffic graph: the last day, week or month, or a custom range.
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';
import { t } from '../text/text.ts';

export const spanNames = ['Day', 'Week', 'Month', 'Custom'] as const;
export type SpanName = (typeof spanNames)[number];
export const spanLabels: Readonly<Record<SpanName, string>> = {
  Day: t('Day'),
  Week: t('Week'),
  Month: t('Month'),
  Custom: t('Custom'),
};

const daySeconds = 86_400;
const intervalMs = 300_000;
const days = { Day: 1, Week: 7, Month: 30 } as const;
/** The longest range that a browser draws quickly. */
export const maxDays = 100;

export interface TimeSpan {
  /** Unix seconds at interval boundaries, so that repeated queries share a cache entry. */
  readonly start: number;
  readonly end: number;
}

export function latestSpan(name: keyof typeof days, nowMs: number): TimeSpan {
  const end = Math.floor(nowMs / intervalMs) * 300;
  return { start: end - days[name] * daySeconds, end };
}

/** Returns what is wrong with a custom span, or undefined if it is valid. */
export function spanProblem(start: number | undefined, end: number | undefined): string | undefined {
  if (start === undefined || end === undefined) return t('Enter a start and an end.');
  if (end <= start) return t('The end must be after the start.');
  return end - start > maxDays * daySeconds ? t('Choose at most {count} days.', { count: maxDays }) : undefined;
}

export interface SpanChoice {
  readonly name: SpanName;
  readonly span: TimeSpan;
  choose(name: SpanName): void;
  set(span: TimeSpan): void;
}

/** `onChange` is called when a person chooses another range. */
export function useSpanChoice(onChange: () => void): SpanChoice {
  const [name, setName] = useState<SpanName>('Day');
  const [span, setSpan] = useState(() => latestSpan('Day', Date.now()));
  // Keeps relative ranges up to date.
  useInterval(() => name !== 'Custom' && setSpan(latestSpan(name, Date.now())), intervalMs, { autoInvoke: true });
  return {
    name,
    span,
    choose(next) {
      onChange();
      setName(next);
      if (next !== 'Custom') setSpan(latestSpan(next, Date.now()));
    },
    set(next) {
      onChange();
      setSpan(next);
    },
  };
}
