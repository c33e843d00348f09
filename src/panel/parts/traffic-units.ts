// Formats traffic rates, packets and bytes, in decimal units, and other measured values.
import { formatNumber, locale, t } from '../text/text.ts';

const tenths = new Intl.NumberFormat(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const units = ['', 'k', 'M', 'G', 'T', 'P'] as const;

export function rateText(bitsPerSecond: number): string {
  return `${scaled(bitsPerSecond)}bit/s`;
}
export function packetsText(packetsPerSecond: number): string {
  return t('{count} packets/s', { count: scaled(packetsPerSecond).trim() });
}
export function bytesText(bytes: number): string {
  return `${scaled(bytes)}B`;
}

function scaled(value: number): string {
  let unit = 0;
  let rest = value;
  // A value that would round to 1000 moves to the next unit.
  while (rest >= 999.5 && unit < units.length - 1) {
    rest /= 1000;
    unit++;
  }
  const digits = rest >= 100 || Number.isInteger(rest) ? String(Math.round(rest)) : tenths.format(rest);
  return `${digits} ${units[unit]}`;
}

const percents = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 });

export function percentText(percent: number | string): string {
  return percents.format(Number(percent) / 100);
}

/** Of memory; empty is unknown, which is never 0. */
export function memoryText(megabytes: string): string {
  if (megabytes === '') return '—';
  const amount = Number(megabytes);
  return amount < 1024 ? `${formatNumber(amount)} MB` : `${formatNumber(Math.round(amount / 102.4) / 10)} GB`;
}

/** Returns a value of the API in the panel's language: `12.06 V` is `12,06 V` in German. */
export function decimalText(text: string): string {
  const sign = (0.5).toLocaleString(locale()).charAt(1);
  return text.replaceAll(/(?<=\d)\.(?=\d)/g, sign);
}
