// Traffic as stored: bytes in and out per five-minute interval, aligned to the clock, with marks on intervals that are
// not plain measurements. Series are typed arrays, so that a month of a port (8,928 intervals) is summed and ranked in
// well under a millisecond.

export const intervalSeconds = 300;
export const intervalsPerDay = 288;
export const daySeconds = intervalSeconds * intervalsPerDay;

/** Bits of a sample's marks. They are stored, so a bit must never change its meaning. */
export const sampleMarks = {
  /** Nothing is known about this interval. */
  missing: 1,
  /** Not read often enough: the bytes are an average over a longer time, or cover only part of the interval. */
  gap: 2,
  /** The counters or the switch restarted: the bytes before the restart are known, the others are lost. */
  reset: 4,
  /** Our clock was set in this interval: the bytes after that are omitted. */
  clock: 8,
  /** A counter wrapped around. The bytes are correct. */
  wrap: 16,
  /** The interval is part of an attack; the operator's policy decides whether it is billed. */
  attack: 32,
} as const;

/**
 * An interval with one of these marks has no five-minute rate: its bytes count, but it is never ranked, so it is never
 * a peak.
 */
export const unmeasured = sampleMarks.missing | sampleMarks.gap | sampleMarks.reset | sampleMarks.clock;

export interface Sample {
  /** Start of the interval, in seconds since 1970. */
  readonly start: number;
  readonly inBytes: number;
  readonly outBytes: number;
  readonly marks: number;
}

export interface Series {
  /** Start of the first interval, in seconds since 1970. */
  readonly start: number;
  readonly inBytes: Float64Array;
  readonly outBytes: Float64Array;
  readonly marks: Uint8Array;
}

/** Returns a series without data, from the interval that contains `start` to the one before `end`. */
export function emptySeries(start: number, end: number): Series {
  const first = intervalStart(start);
  const length = Math.max(0, Math.ceil((end - first) / intervalSeconds));
  const marks = new Uint8Array(length).fill(sampleMarks.missing);
  return { start: first, inBytes: new Float64Array(length), outBytes: new Float64Array(length), marks };
}

/** Erases the intervals that are not wholly within one of these spans of milliseconds. */
export function keepWithin(
  series: Series,
  spans: readonly { readonly from: number; readonly until: number | null }[],
): void {
  for (let index = 0; index < series.marks.length; index++) {
    const start = (series.start + index * intervalSeconds) * 1000;
    const end = start + intervalSeconds * 1000;
    if (spans.some(({ from, until }) => from <= start && (until === null || end <= until))) continue;
    series.inBytes[index] = 0;
    series.outBytes[index] = 0;
    series.marks[index] = sampleMarks.missing;
  }
}

export function intervalStart(seconds: number): number {
  return Math.floor(seconds / intervalSeconds) * intervalSeconds;
}

export function sampleAt(series: Series, index: number): Sample {
  return {
    start: series.start + index * intervalSeconds,
    inBytes: series.inBytes[index]!,
    outBytes: series.outBytes[index]!,
    marks: series.marks[index]!,
  };
}

/**
 * Inserts samples and ignores those outside the series. A measurement is never replaced by an unmeasured sample: after
 * the clock was set, an interval may occur twice, and the second time may be only a part.
 */
export function putSamples(series: Series, samples: Iterable<Sample>): void {
  for (const { start, inBytes, outBytes, marks } of samples) {
    const index = (start - series.start) / intervalSeconds;
    if (!Number.isInteger(index) || index < 0 || index >= series.marks.length) continue;
    const existingMarks = series.marks[index]!;
    if ((existingMarks & unmeasured) === 0 && (marks & unmeasured) !== 0) continue;
    series.inBytes[index] = inBytes;
    series.outBytes[index] = outBytes;
    series.marks[index] = marks | (existingMarks & sampleMarks.attack);
  }
}

/** Marks every interval that overlaps an attack; times are in seconds since 1970. */
export function markAttack(series: Series, start: number, end: number): void {
  const first = Math.max(0, (intervalStart(start) - series.start) / intervalSeconds);
  const past = Math.min(series.marks.length, Math.ceil((end - series.start) / intervalSeconds));
  for (let index = first; index < past; index++) series.marks[index]! |= sampleMarks.attack;
}

/**
 * Sums ports per interval, before anything is ranked. A port without data in an interval adds nothing, since it may be
 * newer than the others; all other marks of a port apply to the sum.
 */
export function sumSeries(ports: readonly Series[]): Series {
  const [first, ...others] = ports;
  if (first === undefined) throw new RangeError('a sum needs at least one series');
  const sum = {
    ...first,
    inBytes: first.inBytes.slice(),
    outBytes: first.outBytes.slice(),
    marks: first.marks.slice(),
  };
  for (const port of others) {
    if (port.start !== sum.start || port.marks.length !== sum.marks.length)
      throw new RangeError('only series of the same period can be summed');
    for (let index = 0; index < sum.marks.length; index++) {
      const missing = sum.marks[index]! & port.marks[index]! & sampleMarks.missing;
      sum.inBytes[index]! += port.inBytes[index]!;
      sum.outBytes[index]! += port.outBytes[index]!;
      sum.marks[index] = ((sum.marks[index]! | port.marks[index]!) & ~sampleMarks.missing) | missing;
    }
  }
  return sum;
}
