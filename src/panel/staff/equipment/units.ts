// Amounts of disk and time as staff read them. Empty is unknown, which is never 0.
import { formatNumber } from '../../text/text.ts';

const unknown = '—';

export function diskText(gigabytes: string): string {
  return gigabytes === '' ? unknown : `${formatNumber(Number(gigabytes))} GB`;
}

export function countText(count: string): string {
  return count === '' ? unknown : formatNumber(Number(count));
}

export function lagText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}
