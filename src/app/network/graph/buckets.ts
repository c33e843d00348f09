// A series at the resolution of a chart: so many intervals to a point, with their average and their highest. An average alone
// would hide the peaks of a month below the 95th line that they make.
import { INTERVAL_SECONDS, MARK, type Series } from '#kernel/traffic/series.ts';

export interface Bucket {
  /** The middle of its time, in seconds since 1970. */
  readonly at: number;
  readonly inAverage: number;
  readonly outAverage: number;
  readonly inHighest: number;
  readonly outHighest: number;
}

/** Rates in bits per second; undefined where nothing is known. */
export function bucketsOf(series: Series, mostBuckets: number): readonly (Bucket | undefined)[] {
  const size = bucketSize(series.marks.length, mostBuckets);
  const rate = (bytes: number) => (bytes * 8) / INTERVAL_SECONDS;
  const buckets: (Bucket | undefined)[] = [];
  for (let first = 0; first < series.marks.length; first += size) {
    const end = Math.min(first + size, series.marks.length);
    let [known, inSum, outSum, inHighest, outHighest] = [0, 0, 0, 0, 0];
    for (let index = first; index < end; index++) {
      if ((series.marks[index]! & MARK.missing) !== 0) continue;
      known++;
      inSum += series.inBytes[index]!;
      outSum += series.outBytes[index]!;
      inHighest = Math.max(inHighest, series.inBytes[index]!);
      outHighest = Math.max(outHighest, series.outBytes[index]!);
    }
    const at = series.start + ((first + end) / 2) * INTERVAL_SECONDS;
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

/** Round times: 5, 10, 15, 20, 30 minutes, whole hours, whole days. */
const ROUND_SIZES = [1, 2, 3, 4, 6, 12, 24, 36, 72, 144, 288];

function bucketSize(intervals: number, mostBuckets: number): number {
  return ROUND_SIZES.find((size) => intervals / size <= mostBuckets) ?? Math.ceil(intervals / mostBuckets / 288) * 288;
}

export interface Band {
  readonly start: number;
  readonly end: number;
}

/** The times in which every interval has the mark. */
export function bandsOf({ start, marks }: Series, mark: number): Band[] {
  const bands: Band[] = [];
  for (let index = 0; index < marks.length; index++) {
    if ((marks[index]! & mark) === 0) continue;
    const first = index;
    while (index < marks.length && (marks[index]! & mark) !== 0) index++;
    bands.push({ start: start + first * INTERVAL_SECONDS, end: start + index * INTERVAL_SECONDS });
  }
  return bands;
}
