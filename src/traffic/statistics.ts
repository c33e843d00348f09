// Totals, averages and the 95th percentile of a series, for bills and charts. The percentile uses nearest rank, so it
// is always a measured rate, and anyone can verify it by sorting the samples.

import { intervalSeconds, sampleMarks, type Series, unmeasured } from './series.ts';

export interface TrafficStatistics {
  readonly inBytes: number;
  readonly outBytes: number;
  readonly totalBytes: number;
  readonly inAverageBitsPerSecond: number;
  readonly outAverageBitsPerSecond: number;
  /** Of the last measured interval; 0 if there is none. */
  readonly inLastBitsPerSecond: number;
  readonly outLastBitsPerSecond: number;
  readonly percentile: Percentile;
}

export interface Percentile {
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
  /** The larger of the two, which is billed. */
  readonly bitsPerSecond: number;
  /** How many intervals were ranked. */
  readonly intervals: number;
}

export interface RankingPolicy {
  readonly attacks: 'count' | 'leave out';
}

const rankSharePercent = 95;

export function computeStatistics(series: Series, policy: RankingPolicy): TrafficStatistics {
  let inBytes = 0;
  let outBytes = 0;
  let knownIntervals = 0;
  let last = -1;
  for (let index = 0; index < series.marks.length; index++) {
    const marks = series.marks[index]!;
    if ((marks & sampleMarks.missing) !== 0) continue;
    inBytes += series.inBytes[index]!;
    outBytes += series.outBytes[index]!;
    knownIntervals++;
    if ((marks & unmeasured) === 0) last = index;
  }
  const average = (bytes: number) =>
    knownIntervals === 0 ? 0 : Math.round((bytes * 8) / (knownIntervals * intervalSeconds));
  return {
    inBytes,
    outBytes,
    totalBytes: inBytes + outBytes,
    inAverageBitsPerSecond: average(inBytes),
    outAverageBitsPerSecond: average(outBytes),
    inLastBitsPerSecond: last < 0 ? 0 : bitsPerSecond(series.inBytes[last]!),
    outLastBitsPerSecond: last < 0 ? 0 : bitsPerSecond(series.outBytes[last]!),
    percentile: computePercentile(series, policy),
  };
}

export function computePercentile(series: Series, policy: RankingPolicy): Percentile {
  const ranked = selectRankedBytes(series, policy);
  const intervals = ranked.inBytes.length;
  const rank = nearestRank(intervals);
  const inBitsPerSecond = rank === 0 ? 0 : bitsPerSecond(ranked.inBytes.sort()[rank - 1]!);
  const outBitsPerSecond = rank === 0 ? 0 : bitsPerSecond(ranked.outBytes.sort()[rank - 1]!);
  return { inBitsPerSecond, outBitsPerSecond, bitsPerSecond: Math.max(inBitsPerSecond, outBitsPerSecond), intervals };
}

/** Returns the 1-based rank of the 95th percentile; computed with integers, because 0.95 is not a binary fraction. */
export function nearestRank(count: number): number {
  return Math.ceil((count * rankSharePercent) / 100);
}

/** Returns the bytes of the intervals that are ranked, in chronological order. */
export function selectRankedBytes(
  { inBytes, outBytes, marks }: Series,
  { attacks }: RankingPolicy,
): { inBytes: Float64Array; outBytes: Float64Array } {
  const unranked = attacks === 'count' ? unmeasured : unmeasured | sampleMarks.attack;
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

/** Converts an interval's bytes to bits per second. */
export function bitsPerSecond(bytes: number): number {
  return Math.round((bytes * 8) / intervalSeconds);
}
