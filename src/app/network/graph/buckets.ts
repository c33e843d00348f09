// Reduces a series to the resolution of a chart: several intervals per point, with their average and maximum. An
// average alone would hide the peaks that determine the 95th percentile.
import { intervalSeconds, sampleMarks, type Series } from '#traffic/series.ts';

export interface Bucket {
  /** The middle of its period, in seconds since 1970. */
  readonly at: number;
  readonly inAverage: number;
  readonly outAverage: number;
  readonly inHighest: number;
  readonly outHighest: number;
}

/** Returns rates in bits per second; undefined for buckets without data. */
export function computeBuckets(series: Series, maxBuckets: number): readonly (Bucket | undefined)[] {
  const size = bucketSize(series.marks.length, maxBuckets);
  const rate = (bytes: number) => (bytes * 8) / intervalSeconds;
  const buckets: (Bucket | undefined)[] = [];
  for (let first = 0; first < series.marks.length; first += size) {
    const end = Math.min(first + size, series.marks.length);
    let [known, inSum, outSum, inHighest, outHighest] = [0, 0, 0, 0, 0];
    for (let index = first; index < end; index++) {
      if ((series.marks[index]! & sampleMarks.missing) !== 0) continue;
      known++;
      inSum += series.inBytes[index]!;
      outSum += series.outBytes[index]!;
      inHighest = Math.max(inHighest, series.inBytes[index]!);
      outHighest = Math.max(outHighest, series.outBytes[index]!);
    }
    const at = series.start + ((first + end) / 2) * intervalSeconds;
    const rates = {
      inAverage: rate(inSum / known),
      outAverage: rate(outSum / known),
      inHighest: rate(inHighest),
      outHighest: rate(outHighest),
    };
    buckets.push(known === 0 ? undefined : { at, ...rates });
  }
  return buckets;
}

/** Round durations: 5, 10, 15, 20, 30 minutes, whole hours, whole days. */
const roundSizes = [1, 2, 3, 4, 6, 12, 24, 36, 72, 144, 288];

function bucketSize(intervals: number, maxBuckets: number): number {
  return roundSizes.find((size) => intervals / size <= maxBuckets) ?? Math.ceil(intervals / maxBuckets / 288) * 288;
}

export interface Band {
  readonly start: number;
  readonly end: number;
}

/** Returns the periods in which every interval has the mark. */
export function findBands({ start, marks }: Series, mark: number): Band[] {
  const bands: Band[] = [];
  for (let index = 0; index < marks.length; index++) {
    if ((marks[index]! & mark) === 0) continue;
    const first = index;
    while (index < marks.length && (marks[index]! & mark) !== 0) index++;
    bands.push({ start: start + first * intervalSeconds, end: start + index * intervalSeconds });
  }
  return bands;
}
