// Converts counter readings to five-minute samples. Counters wrap, switches restart, polls are missed and clocks are
// set; none of that may look like traffic, because a false peak is a false bill. If the truth cannot be known, the
// bytes are omitted, in the customer's favour, and the interval is marked.
//
// The switch's sysUpTime distinguishes a restart from a wrap, and a clock change from elapsed time. The counters of a virtual
// machine also restart with the machine.

import { intervalSeconds, sampleMarks, type Sample, unmeasured } from './series.ts';

export interface CounterReading {
  /** Our clock, in milliseconds since 1970. */
  readonly atMs: number;
  /** sysUpTime, or another clock that nobody sets: hundredths of a second, modulo 2^32. */
  readonly upTimeTicks: number;
  /** Changes if the counters cannot be compared: with each run of a virtual machine, and with the size of a port's counters. */
  readonly run?: string;
  readonly inOctets: bigint;
  readonly outOctets: bigint;
}

export interface CounterKind {
  readonly counterBits: 32 | 64;
  /** 0 if unknown. */
  readonly speedBitsPerSecond: number;
}

/** The state of a port or a machine's card between two readings. Plain data. */
export interface Meter {
  readonly last: CounterReading;
  /** The interval that has not ended yet. */
  readonly open: OpenInterval;
  /** The most bytes of an interval that was measured without a wrap. */
  readonly highestInBytes: number;
  readonly highestOutBytes: number;
}

export interface OpenInterval {
  readonly startMs: number;
  readonly inBytes: number;
  readonly outBytes: number;
  /** How much of it lies between consecutive readings. */
  readonly coveredMs: number;
  readonly marks: number;
}

export interface MeterResult {
  readonly meter: Meter;
  /** The intervals that this reading completes, oldest first. */
  readonly samples: readonly Sample[];
}

const intervalMs = intervalSeconds * 1000;
/** Readings further apart than this cannot resolve five-minute rates. */
const gapAfterMs = 1.5 * intervalMs;
/** How far our clock and the switch's may diverge over the same time before one of them must have been set. */
const clockToleranceMs = 5_000;
const clockToleranceShare = 0.01;
/** Agents respond from caches that are seconds old, so that more than the line rate may seem to have passed. */
const agentCacheMs = 15_000;
/** Limits how far back intervals are marked, because the time may not have passed at all. */
const mostMarkedMs = 24 * 3_600_000;
const upTimeRangeTicks = 2 ** 32;
/** By how much a short reading may exceed the highest rate so far and still be a wrap: rates vary more over shorter times. */
const shortReadingTolerance = 1.5;

/** Ports with fast 32-bit counters are not polled more often than this. */
export const shortestPollMs = 10_000;

/** Returns how often 32-bit counters must be read so that they cannot wrap unnoticed; Infinity if the speed is unknown. */
export function safePollMs(speedBitsPerSecond: number): number {
  const wrapMs = (2 ** 32 * 8_000) / speedBitsPerSecond;
  return wrapMs / 2;
}

export function readMeter(meter: Meter | undefined, reading: CounterReading, kind: CounterKind): MeterResult {
  if (meter === undefined) {
    const open = openInterval(reading.atMs, 0);
    return { meter: { last: reading, open, highestInBytes: 0, highestOutBytes: 0 }, samples: [] };
  }
  const passage = classifyElapsed(meter.last, reading);
  if (passage === 'none') return { meter, samples: [] };
  if (passage === 'clock') return markWithoutBytes(meter, reading, sampleMarks.clock);
  if (passage === 'restart') return markWithoutBytes(meter, reading, sampleMarks.reset);
  const traffic = trafficBetween(meter, reading, kind);
  if (traffic === 'reset') return markWithoutBytes(meter, reading, sampleMarks.reset);
  return distributeBytes(kind.counterBits === 32 ? withReading(meter, reading, traffic) : meter, reading, traffic);
}

type Elapsed = 'continuous' | 'none' | 'restart' | 'clock';

function classifyElapsed(last: CounterReading, reading: CounterReading): Elapsed {
  const wallMs = reading.atMs - last.atMs;
  const upTicks = reading.upTimeTicks - last.upTimeTicks;
  const agrees = (ticks: number) =>
    Math.abs(wallMs - ticks * 10) <= clockToleranceMs + Math.abs(wallMs) * clockToleranceShare;
  // An older reading that arrives late, or one of the same time, adds nothing.
  if (wallMs <= 0 && agrees(upTicks)) return 'none';
  if (agrees(upTicks) || agrees(upTicks + upTimeRangeTicks)) return reading.run === last.run ? 'continuous' : 'restart';
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
  const isGap = wallMs > gapAfterMs;
  // A 32-bit counter may have wrapped any number of times.
  if (isGap && kind.counterBits === 32) return { inBytes: 0, outBytes: 0, marks: sampleMarks.gap };
  const mostBytes =
    kind.speedBitsPerSecond === 0 ? Infinity : (kind.speedBitsPerSecond / 8_000) * (wallMs + agentCacheMs);
  const isShort = kind.counterBits === 32 && wallMs < intervalMs / 2;
  const share = (wallMs / intervalMs) * (isShort ? shortReadingTolerance : 1);
  const inbound = counterAdvance(last.inOctets, reading.inOctets, kind, meter.highestInBytes * share);
  const outbound = counterAdvance(last.outOctets, reading.outOctets, kind, meter.highestOutBytes * share);
  if (inbound === 'reset' || outbound === 'reset') return 'reset';
  if (inbound.bytes > mostBytes || outbound.bytes > mostBytes) return 'reset';
  const marks = inbound.marks | outbound.marks | (isGap ? sampleMarks.gap : 0);
  return { inBytes: inbound.bytes, outBytes: outbound.bytes, marks };
}

/**
 * Returns how far a counter advanced. A counter that went back has wrapped or was cleared, which cannot be
 * distinguished for certain: a wrap is assumed only if it gives no higher rate than was measured on this port without
 * one, so that it can never be a peak.
 */
function counterAdvance(from: bigint, to: bigint, { counterBits }: CounterKind, mostBytesIfWrapped: number) {
  if (to >= from) return { bytes: Number(to - from), marks: 0 };
  const bytes = Number(to - from + (1n << BigInt(counterBits)));
  return bytes <= mostBytesIfWrapped ? { bytes, marks: sampleMarks.wrap } : 'reset';
}

/** Distributes the bytes over the intervals by time, in whole bytes that add up to the counters' difference. */
function distributeBytes(meter: Meter, reading: CounterReading, traffic: Traffic): MeterResult {
  const fromMs = meter.last.atMs;
  const wallMs = reading.atMs - fromMs;
  const samples: Sample[] = [];
  let open = meter.open;
  let cursorMs = fromMs;
  let sharedIn = 0;
  let sharedOut = 0;
  for (;;) {
    const untilMs = Math.min(open.startMs + intervalMs, reading.atMs);
    const share = (untilMs - fromMs) / wallMs;
    const uptoIn = untilMs === reading.atMs ? traffic.inBytes : Math.floor(traffic.inBytes * share);
    const uptoOut = untilMs === reading.atMs ? traffic.outBytes : Math.floor(traffic.outBytes * share);
    // After the clock was set, an interval may occur twice: what follows the change is omitted.
    const counts = (open.marks & sampleMarks.clock) === 0;
    open = {
      startMs: open.startMs,
      inBytes: open.inBytes + (counts ? uptoIn - sharedIn : 0),
      outBytes: open.outBytes + (counts ? uptoOut - sharedOut : 0),
      coveredMs: open.coveredMs + (untilMs - cursorMs),
      marks: open.marks | traffic.marks,
    };
    [cursorMs, sharedIn, sharedOut] = [untilMs, uptoIn, uptoOut];
    if (untilMs < open.startMs + intervalMs) break;
    samples.push(closeInterval(open));
    open = openInterval(untilMs, 0);
    if (untilMs === reading.atMs) break;
  }
  return { meter: withHighest({ ...meter, last: reading, open }, samples), samples };
}

/** Marks the time between the two readings, without any bytes. */
function markWithoutBytes(meter: Meter, reading: CounterReading, mark: number): MeterResult {
  const open = { ...meter.open, marks: meter.open.marks | mark };
  if (openInterval(reading.atMs, 0).startMs === open.startMs)
    return { meter: { ...meter, last: reading, open }, samples: [] };
  const samples = [closeInterval(open)];
  const next = openInterval(reading.atMs, reading.atMs % intervalMs === 0 ? 0 : mark);
  const earliestMs = openInterval(reading.atMs - mostMarkedMs, 0).startMs;
  for (let startMs = Math.max(open.startMs + intervalMs, earliestMs); startMs < next.startMs; startMs += intervalMs)
    samples.push(closeInterval(openInterval(startMs, mark)));
  return { meter: { ...meter, last: reading, open: next }, samples };
}

function openInterval(atMs: number, marks: number): OpenInterval {
  const startMs = Math.floor(atMs / intervalMs) * intervalMs;
  return { startMs, inBytes: 0, outBytes: 0, coveredMs: 0, marks };
}

function closeInterval({ startMs, inBytes, outBytes, coveredMs, marks }: OpenInterval): Sample {
  const isWhole = coveredMs >= intervalMs || (marks & unmeasured) !== 0;
  return { start: startMs / 1000, inBytes, outBytes, marks: isWhole ? marks : marks | sampleMarks.gap };
}

/** On a fast port every interval contains a wrap of 32-bit counters, so its single readings have to count. */
function withReading(meter: Meter, { atMs }: CounterReading, { inBytes, outBytes, marks }: Traffic): Meter {
  if (marks !== 0) return meter;
  const intervals = (atMs - meter.last.atMs) / intervalMs;
  return {
    ...meter,
    highestInBytes: Math.max(meter.highestInBytes, Math.round(inBytes / intervals)),
    highestOutBytes: Math.max(meter.highestOutBytes, Math.round(outBytes / intervals)),
  };
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
