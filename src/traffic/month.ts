// Estimates the current month: its 95th percentile if the rest is like the last week, the minimum it will be, and how
// many more intervals may exceed a level before the month's 95th percentile does.

import { intervalSeconds, intervalsPerDay, type Series } from './series.ts';
import {
  nearestRank,
  type Percentile,
  computePercentile,
  selectRankedBytes,
  type RankingPolicy,
  bitsPerSecond,
} from './statistics.ts';

export interface MonthEstimate {
  readonly soFar: Percentile;
  /** Projected from the last seven days. */
  readonly projectedBitsPerSecond: number;
  /** If the rest of the month has no traffic. */
  readonly leastBitsPerSecond: number;
  readonly burst: BurstAllowance;
}

/** At the end of a month, nearest rank leaves this many intervals unbilled, whatever their rate. */
export interface BurstAllowance {
  readonly levelBitsPerSecond: number;
  readonly allowed: number;
  readonly used: number;
  readonly left: number;
}

export interface MonthOptions extends RankingPolicy {
  /**
   * The level above which traffic counts as a burst, such as the committed rate; defaults to the projected 95th percentile.
   */
  readonly levelBitsPerSecond?: number;
}

const projectedFromIntervals = 7 * intervalsPerDay;

/** `series` is the whole month, with its future missing. `now` is in seconds since 1970. */
export function estimateMonth(series: Series, now: number, options: MonthOptions): MonthEstimate {
  const { inBytes, outBytes } = selectRankedBytes(series, options);
  const intervals = series.marks.length;
  const toCome = Math.min(intervals, Math.max(0, intervals - Math.floor((now - series.start) / intervalSeconds)));
  const larger = (of: (bytes: Float64Array) => number) => bitsPerSecond(Math.max(of(inBytes), of(outBytes)));
  const projected = larger((bytes) => projectBytes(bytes, toCome));
  const level = options.levelBitsPerSecond ?? projected;
  const allowed = intervals - nearestRank(intervals);
  const above = (bytes: Float64Array) =>
    bytes.reduce((count, value) => count + (bitsPerSecond(value) > level ? 1 : 0), 0);
  const used = Math.max(above(inBytes), above(outBytes));
  return {
    soFar: computePercentile(series, options),
    projectedBitsPerSecond: projected,
    leastBitsPerSecond: larger((bytes) => minimumBytes(bytes, toCome)),
    burst: { levelBitsPerSecond: level, allowed, used, left: Math.max(0, allowed - used) },
  };
}

/** Returns the start of the month that contains `seconds`, and of the next one, in UTC. */
export function monthBounds(seconds: number): { readonly start: number; readonly end: number } {
  const day = new Date(seconds * 1000);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { start: Date.UTC(year, month, 1) / 1000, end: Date.UTC(year, month + 1, 1) / 1000 };
}

// Ranks the measured intervals together with the future ones, for which each interval of the last week stands
// proportionally.
function projectBytes(measured: Float64Array, toCome: number): number {
  const recent = measured.slice(-projectedFromIntervals).sort();
  const all = measured.slice().sort();
  const shareOfRecent = toCome / recent.length;
  // Shares are fractions: tolerate rounding errors.
  const rank = nearestRank(all.length + toCome) - 1e-6;
  let recentReached = 0;
  for (let reached = 1; reached <= all.length; reached++) {
    const bytes = all[reached - 1]!;
    while (recentReached < recent.length && recent[recentReached]! <= bytes) recentReached++;
    if (reached + recentReached * shareOfRecent >= rank) return bytes;
  }
  return 0;
}

function minimumBytes(measured: Float64Array, toCome: number): number {
  const rank = nearestRank(measured.length + toCome) - toCome;
  return rank <= 0 ? 0 : measured.slice().sort()[rank - 1]!;
}
