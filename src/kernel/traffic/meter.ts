// From counter readings to five-minute samples. Counters wrap, switches restart, polls are missed and clocks are set; none of
// that may ever look like traffic, since a false peak is a false bill. Where the truth cannot be known the bytes are left out,
// in favour of the customer, and the interval says so.
//
// The switch's own sysUpTime is the witness: it tells a restart from a wrap, and a step of our clock from time that passed.

import { INTERVAL_SECONDS, MARK, type Sample, UNMEASURED } from './series.ts';

export interface CounterReading {
  /** Our clock, in milliseconds since 1970. */
  readonly atMs: number;
  /** sysUpTime: hundredths of a second, modulo 2^32. */
  readonly upTimeTicks: number;
  readonly inOctets: bigint;
  readonly outOctets: bigint;
}

export interface CounterKind {
  readonly counterBits: 32 | 64;
  /** 0 where it is not known. */
  readonly speedBitsPerSecond: number;
}

/** What is kept of a port between two readings. Plain data. */
export interface Meter {
  readonly last: CounterReading;
  /** The interval that is not over yet. */
  readonly open: OpenInterval;
  /** The most bytes of an interval that was measured without a wrap. */
  readonly highestInBytes: number;
  readonly highestOutBytes: number;
}

export interface OpenInterval {
  readonly startMs: number;
  readonly inBytes: number;
  readonly outBytes: number;
  /** How much of it lies between readings that belong together. */
  readonly coveredMs: number;
  readonly marks: number;
}

export interface MeterResult {
  readonly meter: Meter;
  /** The intervals that this reading completes, oldest first. */
  readonly samples: readonly Sample[];
}

const INTERVAL_MS = INTERVAL_SECONDS * 1000;
/** Readings further apart than this do not tell one five-minute rate from the next. */
const GAP_AFTER_MS = 1.5 * INTERVAL_MS;
/** How far our clock and the switch's may differ over the same time before one of them was set. */
const CLOCK_TOLERANCE_MS = 5_000;
const CLOCK_TOLERANCE_SHARE = 0.01;
/** Agents answer from caches some seconds old, so that more than the line carries may seem to have passed. */
const AGENT_CACHE_MS = 15_000;
/** Time that may never have passed is marked no further back than this. */
const MOST_MARKED_MS = 24 * 3_600_000;
const UP_TIME_RANGE_TICKS = 2 ** 32;

export function readMeter(meter: Meter | undefined, reading: CounterReading, kind: CounterKind): MeterResult {
  if (meter === undefined) {
    const open = openedAt(reading.atMs, 0);
    return { meter: { last: reading, open, highestInBytes: 0, highestOutBytes: 0 }, samples: [] };
  }
  const passage = passageBetween(meter.last, reading);
  if (passage === 'none') return { meter, samples: [] };
  if (passage === 'clock') return leaveOut(meter, reading, MARK.clock);
  if (passage === 'restart') return leaveOut(meter, reading, MARK.reset);
  const traffic = trafficBetween(meter, reading, kind);
  return traffic === 'reset' ? leaveOut(meter, reading, MARK.reset) : spread(meter, reading, traffic);
}

type Passage = 'continuous' | 'none' | 'restart' | 'clock';

function passageBetween(last: CounterReading, reading: CounterReading): Passage {
  const wallMs = reading.atMs - last.atMs;
  const upTicks = reading.upTimeTicks - last.upTimeTicks;
  const agrees = (ticks: number) =>
    Math.abs(wallMs - ticks * 10) <= CLOCK_TOLERANCE_MS + Math.abs(wallMs) * CLOCK_TOLERANCE_SHARE;
  // An older reading that arrives late, or one of the same moment: it adds nothing.
  if (wallMs <= 0 && agrees(upTicks)) return 'none';
  if (agrees(upTicks) || agrees(upTicks + UP_TIME_RANGE_TICKS)) return 'continuous';
  return upTicks < 0 && wallMs > 0 ? 'restart' : 'clock';
}

interface Traffic {
  readonly inBytes: number;
  readonly outBytes: number;
  readonly marks: number;
}

function trafficBetween(meter: Meter, reading: CounterReading, kind: CounterKind): Traffic | 'reset' {
  const { last } = meter;
  const wallMs = reading.atMs - last.atMs;
  const isGap = wallMs > GAP_AFTER_MS;
  // A 32-bit counter may have wrapped any number of times meanwhile.
  if (isGap && kind.counterBits === 32) return { inBytes: 0, outBytes: 0, marks: MARK.gap };
  const mostBytes =
    kind.speedBitsPerSecond === 0 ? Infinity : (kind.speedBitsPerSecond / 8_000) * (wallMs + AGENT_CACHE_MS);
  const inbound = advance(last.inOctets, reading.inOctets, kind, (meter.highestInBytes / INTERVAL_MS) * wallMs);
  const outbound = advance(last.outOctets, reading.outOctets, kind, (meter.highestOutBytes / INTERVAL_MS) * wallMs);
  if (inbound === 'reset' || outbound === 'reset') return 'reset';
  if (inbound.bytes > mostBytes || outbound.bytes > mostBytes) return 'reset';
  const marks = inbound.marks | outbound.marks | (isGap ? MARK.gap : 0);
  return { inBytes: inbound.bytes, outBytes: outbound.bytes, marks };
}

/**
 * How far a counter went. One that went back has wrapped or was cleared, and the two cannot be told apart for certain: a wrap
 * is believed only where it gives no higher rate than was measured on this port without one, so that it can never be a peak.
 */
function advance(from: bigint, to: bigint, { counterBits }: CounterKind, mostBytesIfWrapped: number) {
  if (to >= from) return { bytes: Number(to - from), marks: 0 };
  const bytes = Number(to - from + (1n << BigInt(counterBits)));
  return bytes <= mostBytesIfWrapped ? { bytes, marks: MARK.wrap } : 'reset';
}

/** Shares the bytes out over the intervals by time. The shares are whole bytes and add up to what the counters say. */
function spread(meter: Meter, reading: CounterReading, traffic: Traffic): MeterResult {
  const fromMs = meter.last.atMs;
  const wallMs = reading.atMs - fromMs;
  const samples: Sample[] = [];
  let open = meter.open;
  let cursorMs = fromMs;
  let sharedIn = 0;
  let sharedOut = 0;
  for (;;) {
    const untilMs = Math.min(open.startMs + INTERVAL_MS, reading.atMs);
    const share = (untilMs - fromMs) / wallMs;
    const uptoIn = untilMs === reading.atMs ? traffic.inBytes : Math.floor(traffic.inBytes * share);
    const uptoOut = untilMs === reading.atMs ? traffic.outBytes : Math.floor(traffic.outBytes * share);
    // After a step of the clock an interval may be lived through twice: what comes after the step is left out.
    const counts = (open.marks & MARK.clock) === 0;
    open = {
      startMs: open.startMs,
      inBytes: open.inBytes + (counts ? uptoIn - sharedIn : 0),
      outBytes: open.outBytes + (counts ? uptoOut - sharedOut : 0),
      coveredMs: open.coveredMs + (untilMs - cursorMs),
      marks: open.marks | traffic.marks,
    };
    [cursorMs, sharedIn, sharedOut] = [untilMs, uptoIn, uptoOut];
    if (untilMs < open.startMs + INTERVAL_MS) break;
    samples.push(closed(open));
    open = openedAt(untilMs, 0);
    if (untilMs === reading.atMs) break;
  }
  return { meter: withHighest({ ...meter, last: reading, open }, samples), samples };
}

/** The time between the two readings is marked and gets no bytes. */
function leaveOut(meter: Meter, reading: CounterReading, mark: number): MeterResult {
  const open = { ...meter.open, marks: meter.open.marks | mark };
  if (openedAt(reading.atMs, 0).startMs === open.startMs)
    return { meter: { ...meter, last: reading, open }, samples: [] };
  const samples = [closed(open)];
  const next = openedAt(reading.atMs, reading.atMs % INTERVAL_MS === 0 ? 0 : mark);
  const earliestMs = openedAt(reading.atMs - MOST_MARKED_MS, 0).startMs;
  for (let startMs = Math.max(open.startMs + INTERVAL_MS, earliestMs); startMs < next.startMs; startMs += INTERVAL_MS)
    samples.push(closed(openedAt(startMs, mark)));
  return { meter: { ...meter, last: reading, open: next }, samples };
}

function openedAt(atMs: number, marks: number): OpenInterval {
  const startMs = Math.floor(atMs / INTERVAL_MS) * INTERVAL_MS;
  return { startMs, inBytes: 0, outBytes: 0, coveredMs: 0, marks };
}

function closed({ startMs, inBytes, outBytes, coveredMs, marks }: OpenInterval): Sample {
  const isWhole = coveredMs >= INTERVAL_MS || (marks & UNMEASURED) !== 0;
  return { start: startMs / 1000, inBytes, outBytes, marks: isWhole ? marks : marks | MARK.gap };
}

function withHighest(meter: Meter, samples: readonly Sample[]): Meter {
  let { highestInBytes, highestOutBytes } = meter;
  for (const { inBytes, outBytes, marks } of samples) {
    if (marks !== 0) continue;
    highestInBytes = Math.max(highestInBytes, inBytes);
    highestOutBytes = Math.max(highestOutBytes, outBytes);
  }
  return { ...meter, highestInBytes, highestOutBytes };
}
