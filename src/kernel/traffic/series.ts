// Traffic as Hostyard keeps it: bytes in and out of each five-minute interval, aligned to the clock, with marks where an
// interval is not simply what was measured. A series is a run of such intervals in typed arrays, so that a month of a port
// (8,928 intervals) is summed and ranked in well under a millisecond.

export const INTERVAL_SECONDS = 300;
export const INTERVALS_PER_DAY = 288;
export const DAY_SECONDS = INTERVAL_SECONDS * INTERVALS_PER_DAY;

/** Bits of a sample's marks. They are stored: a bit keeps its meaning for ever. */
export const MARK = {
  /** Nothing is known of this interval. */
  missing: 1,
  /** Not read often enough: the bytes are an average over a longer time, or cover only a part of the interval. */
  gap: 2,
  /** The counters or the switch restarted: the bytes up to the restart are known, the others lost. */
  reset: 4,
  /** Our clock was set in this interval: the bytes after that are left out. */
  clock: 8,
  /** A counter ran over its end. The bytes are right. */
  wrap: 16,
  /** The interval belongs to an attack; whether it counts for the bill is the operator's policy. */
  attack: 32,
} as const;

/** An interval with one of these is no five-minute rate: its bytes count, but it is never ranked and so never a peak. */
export const UNMEASURED = MARK.missing | MARK.gap | MARK.reset | MARK.clock;

export interface Sample {
  /** The beginning of the interval, in seconds since 1970. */
  readonly start: number;
  readonly inBytes: number;
  readonly outBytes: number;
  readonly marks: number;
}

export interface Series {
  /** The beginning of the first interval, in seconds since 1970. */
  readonly start: number;
  readonly inBytes: Float64Array;
  readonly outBytes: Float64Array;
  readonly marks: Uint8Array;
}

/** A series of which nothing is known yet, from the interval that holds `start` to the one before `end`. */
export function emptySeries(start: number, end: number): Series {
  const first = intervalStart(start);
  const length = Math.max(0, Math.ceil((end - first) / INTERVAL_SECONDS));
  const marks = new Uint8Array(length).fill(MARK.missing);
  return { start: first, inBytes: new Float64Array(length), outBytes: new Float64Array(length), marks };
}

export function intervalStart(seconds: number): number {
  return Math.floor(seconds / INTERVAL_SECONDS) * INTERVAL_SECONDS;
}

export function sampleAt(series: Series, index: number): Sample {
  return {
    start: series.start + index * INTERVAL_SECONDS,
    inBytes: series.inBytes[index]!,
    outBytes: series.outBytes[index]!,
    marks: series.marks[index]!,
  };
}

/**
 * Puts samples where they belong and leaves out those outside. What was measured is never replaced by what was not: after a
 * step of the clock the same interval can come twice, and the second time it may be only a part.
 */
export function putSamples(series: Series, samples: Iterable<Sample>): void {
  for (const { start, inBytes, outBytes, marks } of samples) {
    const index = (start - series.start) / INTERVAL_SECONDS;
    if (!Number.isInteger(index) || index < 0 || index >= series.marks.length) continue;
    const before = series.marks[index]!;
    if ((before & UNMEASURED) === 0 && (marks & UNMEASURED) !== 0) continue;
    series.inBytes[index] = inBytes;
    series.outBytes[index] = outBytes;
    series.marks[index] = marks | (before & MARK.attack);
  }
}

/** Marks every interval that an attack touched, from its beginning to its end in seconds since 1970. */
export function markAttack(series: Series, start: number, end: number): void {
  const first = Math.max(0, (intervalStart(start) - series.start) / INTERVAL_SECONDS);
  const past = Math.min(series.marks.length, Math.ceil((end - series.start) / INTERVAL_SECONDS));
  for (let index = first; index < past; index++) series.marks[index]! |= MARK.attack;
}

/**
 * Several ports as one: summed per interval, before anything is ranked. A port without data in an interval adds nothing to
 * it (it may be newer than the others); any other mark of one port holds for the sum.
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
      throw new RangeError('only series of the same time can be summed');
    for (let index = 0; index < sum.marks.length; index++) {
      const missing = sum.marks[index]! & port.marks[index]! & MARK.missing;
      sum.inBytes[index]! += port.inBytes[index]!;
      sum.outBytes[index]! += port.outBytes[index]!;
      sum.marks[index] = ((sum.marks[index]! | port.marks[index]!) & ~MARK.missing) | missing;
    }
  }
  return sum;
}
