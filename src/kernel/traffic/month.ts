// The month so far: what its 95th percentile will be if the rest goes on like the last week, what it will be at the least,
// and how many more intervals may burst above a level before that level is passed at the end of the month.

import { DAY_SECONDS, INTERVAL_SECONDS, INTERVALS_PER_DAY, type Series } from './series.ts';
import { nearestRank, type Percentile, percentileOf, rankedBytes, type RankingPolicy, rateOf } from './statistics.ts';

export interface MonthSoFar {
  readonly soFar: Percentile;
  /** If the rest of the month is like the last seven days. */
  readonly projectedBitsPerSecond: number;
  /** If nothing passes any more. */
  readonly leastBitsPerSecond: number;
  readonly burst: BurstAllowance;
}

/** At the end of a month nearest rank leaves so many of its intervals unbilled, whatever their rate. */
export interface BurstAllowance {
  readonly levelBitsPerSecond: number;
  readonly allowed: number;
  readonly used: number;
  readonly left: number;
}

export interface MonthOptions extends RankingPolicy {
  /** What the bursts are counted against, such as the committed rate; left out, the projected 95th. */
  readonly levelBitsPerSecond?: number;
}

const PROJECTED_FROM_INTERVALS = 7 * INTERVALS_PER_DAY;

/** `series` is the whole month; its future is missing. `now` is in seconds since 1970. */
export function monthSoFar(series: Series, now: number, options: MonthOptions): MonthSoFar {
  const { inBytes, outBytes } = rankedBytes(series, options);
  const intervals = series.marks.length;
  const toCome = Math.min(intervals, Math.max(0, intervals - Math.floor((now - series.start) / INTERVAL_SECONDS)));
  const larger = (of: (bytes: Float64Array) => number) => rateOf(Math.max(of(inBytes), of(outBytes)));
  const projected = larger((bytes) => projectedBytes(bytes, toCome));
  const level = options.levelBitsPerSecond ?? projected;
  const allowed = intervals - nearestRank(intervals);
  const above = (bytes: Float64Array) => bytes.reduce((count, value) => count + (rateOf(value) > level ? 1 : 0), 0);
  const used = Math.max(above(inBytes), above(outBytes));
  return {
    soFar: percentileOf(series, options),
    projectedBitsPerSecond: projected,
    leastBitsPerSecond: larger((bytes) => leastBytes(bytes, toCome)),
    burst: { levelBitsPerSecond: level, allowed, used, left: Math.max(0, allowed - used) },
  };
}

/** The beginning of the month that holds `seconds`, and of the next one, in UTC. */
export function monthAround(seconds: number): { readonly start: number; readonly end: number } {
  const day = new Date(Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS * 1000);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth()];
  return { start: Date.UTC(year, month, 1) / 1000, end: Date.UTC(year, month + 1, 1) / 1000 };
}

// Ranks what was measured together with what is to come, where each interval of the last week stands for its share of that.
function projectedBytes(measured: Float64Array, toCome: number): number {
  const recent = measured.slice(-PROJECTED_FROM_INTERVALS).sort();
  const all = measured.slice().sort();
  const shareOfRecent = toCome / recent.length;
  // Shares are no whole numbers: a rank missed by their rounding alone is reached.
  const rank = nearestRank(all.length + toCome) - 1e-6;
  let recentReached = 0;
  for (let reached = 1; reached <= all.length; reached++) {
    const bytes = all[reached - 1]!;
    while (recentReached < recent.length && recent[recentReached]! <= bytes) recentReached++;
    if (reached + recentReached * shareOfRecent >= rank) return bytes;
  }
  return 0;
}

function leastBytes(measured: Float64Array, toCome: number): number {
  const rank = nearestRank(measured.length + toCome) - toCome;
  return rank <= 0 ? 0 : measured.slice().sort()[rank - 1]!;
}
