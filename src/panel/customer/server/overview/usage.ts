// Parses the API's `<used> / <total>` into a percentage.
import { decimalText } from '../../../parts/traffic-units.ts';
import { t } from '../../../text/text.ts';

const units: Readonly<Record<string, number>> = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** Returns a percentage of at most 100, or undefined if the text cannot be parsed. */
export function usagePercent(text: string): number | undefined {
  const [used, total] = text.split(' / ').map(parseBytes);
  if (used === undefined || total === undefined || total === 0) return undefined;
  return Math.min(100, (used / total) * 100);
}

/** Returns the text for people. A total of zero means that there is no limit. */
export function usageText(text: string): string {
  const [used, total] = text.split(' / ');
  const isUnlimited = total !== undefined && parseBytes(total) === 0;
  return decimalText(isUnlimited ? t('{used}, no limit', { used: used! }) : text);
}

function parseBytes(text: string): number | undefined {
  const [number = '', unit = ''] = text.split(' ');
  const bytes = Number(number) * (units[unit] ?? Number.NaN);
  return number === '' || !Number.isFinite(bytes) ? undefined : bytes;
}
