// A time in the viewer's time zone, with UTC in a tooltip for comparing it with logs. It is a plain element with the
// browser's tooltip, because tables have one or two in every row.
import { useSyncExternalStore, type JSX } from 'react';
import { createListeners } from '../data/listeners.ts';
import { locale, t } from '../text/text.ts';
import { useDateFormats } from './dates.ts';

/** Parses the formats of the APIs: `YYYY-MM-DD HH:MM:SS` in UTC, ISO 8601, or Unix seconds. */
export function parseTimestamp(at: string | number): Date | undefined {
  if (at === '' || at === 0) return undefined;
  if (typeof at === 'number' || /^\d+$/.test(at)) return new Date(Number(at) * 1000);
  const date = new Date(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(at) ? `${at.replace(' ', 'T')}Z` : at);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' });
const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

function relativeTimeText(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000;
  if (Math.abs(seconds) < 5) return t('just now');
  for (const [unit, length] of units)
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  return relative.format(Math.round(seconds), 'second');
}

const tickMs = 30_000;
const ticks = createListeners();
setInterval(ticks.notify, tickMs);

/** Renders again as time passes. */
function RelativeTime({ date }: { date: Date }): string {
  useSyncExternalStore(ticks.subscribe, () => Math.floor(Date.now() / tickMs));
  return relativeTimeText(date);
}

export interface TimestampProps {
  readonly at: string | number;
  readonly isRelative?: boolean;
  /** Shown if there is no time. */
  readonly fallback?: string;
}

export function Timestamp({ at, isRelative = false, fallback = '—' }: TimestampProps): JSX.Element {
  const { moment } = useDateFormats();
  const date = parseTimestamp(at);
  if (date === undefined) return <span>{fallback}</span>;
  return (
    <time
      dateTime={date.toISOString()}
      className="numbers"
      title={`${date.toISOString().replace('T', ' ').slice(0, 19)} UTC`}
    >
      {isRelative ? <RelativeTime date={date} /> : moment(date)}
    </time>
  );
}
