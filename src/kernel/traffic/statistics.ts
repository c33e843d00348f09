// What a bill and a chart say of a series: totals, averages and the 95th percentile. The percentile is by nearest rank, so it
// is always a rate that was measured, and anyone can check it by sorting the samples of the bill.

import { INTERVAL_SECONDS, MARK, type Series, UNMEASURED } from './series.ts';

export interface TrafficStatistics {
  readonly inBytes: number;
  readonly outBytes: number;
  readonly totalBytes: number;
  readonly inAverageBitsPerSecond: number;
  readonly outAverageBitsPerSecond: number;
  /** Of the last interval that was measured; 0 where none was. */
  readonly inLastBitsPerSecond: number;
  readonly outLastBitsPerSecond: number;
  readonly percentile: Percentile;
}

export interface Percentile {
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
  /** The larger of the two: what is billed. */
  readonly bitsPerSecond: number;
  /** How many intervals were ranked. */
  readonly intervals: number;
}

export interface RankingPolicy {
  readonly attacks: 'count' | 'leave out';
}

export const RANK_SHARE_PERCENT = 95;

export function statisticsOf(series: Series, policy: RankingPolicy): TrafficStatistics {
  let inBytes = 0;
  let outBytes = 0;
  let known = 0;
  let last = -1;
  for (let index = 0; index < series.marks.length; index++) {
    const marks = series.marks[index]!;
    if ((marks & MARK.missing) !== 0) continue;
    inBytes += series.inBytes[index]!;
    outBytes += series.outBytes[index]!;
    known++;
    if ((marks & UNMEASURED) === 0) last = index;
  }
  const average = (bytes: number) => (known === 0 ? 0 : Math.round((bytes * 8) / (known * INTERVAL_SECONDS)));
  return {
    inBytes,
    outBytes,
    totalBytes: inBytes + outBytes,
    inAverageBitsPerSecond: average(inBytes),
    outAverageBitsPerSecond: average(outBytes),
    inLastBitsPerSecond: last < 0 ? 0 : rateOf(series.inBytes[last]!),
    outLastBitsPerSecond: last < 0 ? 0 : rateOf(series.outBytes[last]!),
    percentile: percentileOf(series, policy),
  };
}

export function percentileOf(series: Series, policy: RankingPolicy): Percentile {
  const ranked = rankedBytes(series, policy);
  const intervals = ranked.inBytes.length;
  const rank = nearestRank(intervals);
  const inBitsPerSecond = rank === 0 ? 0 : rateOf(ranked.inBytes.sort()[rank - 1]!);
  const outBitsPerSecond = rank === 0 ? 0 : rateOf(ranked.outBytes.sort()[rank - 1]!);
  return { inBitsPerSecond, outBitsPerSecond, bitsPerSecond: Math.max(inBitsPerSecond, outBitsPerSecond), intervals };
}

/** The rank, from 1, of the 95th percentile among so many; in whole numbers, since 0.95 is not a binary fraction. */
export function nearestRank(count: number): number {
  return Math.ceil((count * RANK_SHARE_PERCENT) / 100);
}

/** The bytes of the intervals that are ranked, in the order of time. */
export function rankedBytes(
  { inBytes, outBytes, marks }: Series,
  { attacks }: RankingPolicy,
): { inBytes: Float64Array; outBytes: Float64Array } {
  const unranked = attacks === 'count' ? UNMEASURED : UNMEASURED | MARK.attack;
  const ranked = { inBytes: new Float64Array(marks.length), outBytes: new Float64Array(marks.length) };
  let count = 0;
  for (let index = 0; index < marks.length; index++) {
    if ((marks[index]! & unranked) !== 0) continue;
    ranked.inBytes[count] = inBytes[index]!;
    ranked.outBytes[count] = outBytes[index]!;
    count++;
  }
  return { inBytes: ranked.inBytes.subarray(0, count), outBytes: ranked.outBytes.subarray(0, count) };
}

/** Bits per second of an interval's bytes. */
export function rateOf(bytes: number): number {
  return Math.round((bytes * 8) / INTERVAL_SECONDS);
}
