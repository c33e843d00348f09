// The time that a traffic graph covers: the last day, week or month, or from one moment to another in the viewer's zone.
import { useInterval } from '@mantine/hooks';
import { useState } from 'react';

export const spanNames = ['Day', 'Week', 'Month', 'Custom'] as const;
export type SpanName = (typeof spanNames)[number];

const daySeconds = 86_400;
const intervalMs = 300_000;
const days = { Day: 1, Week: 7, Month: 30 } as const;
/** As long as a browser draws with ease. */
export const longestDays = 100;

export interface TimeSpan {
  /** Seconds since 1970, at whole intervals, so that the same span is asked for under the same name. */
  readonly start: number;
  readonly end: number;
}

export function lastOf(name: keyof typeof days, nowMs: number): TimeSpan {
  const end = Math.floor(nowMs / intervalMs) * 300;
  return { start: end - days[name] * daySeconds, end };
}

/** What an input of the type datetime-local holds, and back. */
export function localText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
export function secondsOfLocal(text: string): number | undefined {
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** What is the matter with a span that somebody typed; undefined where it can be shown. */
export function spanFault(start: number | undefined, end: number | undefined): string | undefined {
  if (start === undefined || end === undefined) return 'Both moments are needed.';
  if (end <= start) return 'The end must come after the beginning.';
  return end - start > longestDays * daySeconds ? `At most ${longestDays} days can be shown at once.` : undefined;
}

export interface SpanChoice {
  readonly name: SpanName;
  readonly span: TimeSpan;
  choose(name: SpanName): void;
  set(span: TimeSpan): void;
}

export function useSpan(): SpanChoice {
  const [name, setName] = useState<SpanName>('Day');
  const [span, setSpan] = useState(() => lastOf('Day', Date.now()));
  // What is the last day moves on with the samples.
  useInterval(() => name !== 'Custom' && setSpan(lastOf(name, Date.now())), intervalMs, { autoInvoke: true });
  return {
    name,
    span,
    choose(next) {
      setName(next);
      if (next !== 'Custom') setSpan(lastOf(next, Date.now()));
    },
    set: setSpan,
  };
}
