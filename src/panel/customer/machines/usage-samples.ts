// Reduces five-minute samples of a machine to what a chart shows, and writes them as CSV.
import type { UsageSample } from '#sdk/v2.ts';
import type { UsageSeries } from '../server/overview/usage-path.ts';

/** Averages neighbouring values so that at most this many are left; a group without any measured value is a gap. */
export function reduceSeries(series: UsageSeries, most: number): UsageSeries {
  if (series.length <= most) return series;
  const size = Math.ceil(series.length / most);
  return Array.from({ length: Math.ceil(series.length / size) }, (_, index) => {
    const group = series.slice(index * size, (index + 1) * size).filter((value) => value !== null);
    return group.length === 0 ? null : group.reduce((sum, value) => sum + value, 0) / group.length;
  });
}

const columns = ['start', 'cpu', 'memory', 'disk', 'diskread', 'diskwritten'] as const;

/** A value that was not measured is empty. Times and numbers need no quotation marks. */
export function usageCsv(samples: readonly UsageSample[]): string {
  const rows = samples.map(({ start, cpu, memory, disk, diskread, diskwritten }) =>
    [new Date(Number(start) * 1000).toISOString(), cpu, memory, disk, diskread, diskwritten].join(),
  );
  return [columns.join(), ...rows, ''].join('\r\n');
}

/** Returns the part of a span between two positions, each from 0 to 1, at boundaries of intervals; undefined if it is too short. */
export function selectSpan(
  { start, end }: { readonly start: number; readonly end: number },
  positions: readonly [number, number],
): { readonly start: number; readonly end: number } | undefined {
  const [from, until] = positions.toSorted((left, right) => left - right) as [number, number];
  const at = (position: number): number =>
    Math.round((start + position * (end - start)) / intervalSeconds) * intervalSeconds;
  return at(until) - at(from) < shortestSeconds ? undefined : { start: at(from), end: at(until) };
}
const intervalSeconds = 300;
const shortestSeconds = 6 * intervalSeconds;
