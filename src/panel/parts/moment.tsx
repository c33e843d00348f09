// A moment in the viewer's zone, with UTC for who compares it with a log.
import { Text, Tooltip } from '@mantine/core';
import type { JSX } from 'react';

/** The interface writes moments as `YYYY-MM-DD HH:MM:SS` in UTC, as ISO 8601, or as Unix seconds. */
export function momentOf(at: string | number): Date | undefined {
  if (at === '' || at === 0) return undefined;
  if (typeof at === 'number' || /^\d+$/.test(at)) return new Date(Number(at) * 1000);
  const date = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(at) ? `${at.replace(' ', 'T')}Z` : at);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const steps = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

export function agoText(date: Date, now = Date.now()): string {
  const seconds = (date.getTime() - now) / 1000;
  for (const [unit, length] of steps)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), 'second');
}

export function Moment({ at, ago = false }: { at: string | number; ago?: boolean }): JSX.Element {
  const date = momentOf(at);
  if (date === undefined) return <span>—</span>;
  return (
    <Tooltip label={`${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`}>
      <Text component="time" inherit dateTime={date.toISOString()} className="numbers">
        {ago ? agoText(date) : full.format(date)}
      </Text>
    </Tooltip>
  );
}
