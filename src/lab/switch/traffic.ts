// Traffic that looks like a customer's: more by day than by night, less at the weekend, never smooth, now and then a burst. It
// is a function of the time alone, so the lab's stored month and its switch's counters tell the same story.

export interface LabTraffic {
  readonly seed: number;
  /** What passes in the afternoon of a working day. */
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
}

export interface Octets {
  readonly in: number;
  readonly out: number;
}

const SLOT_MS = 300_000;
const DAY_MS = 86_400_000;
/** 2 pm UTC. */
const BUSIEST_MS = 14 * 3_600_000;
const NIGHT_SHARE = 0.25;
const WEEKEND_SHARE = 0.6;
const BURST_CHANCE = 0.01;
const BURST_FACTOR = 1.9;

/** Whole bytes, the same for the same time; consecutive spans add up but for their rounding. */
export function labOctetsBetween(traffic: LabTraffic, fromMs: number, toMs: number): Octets {
  let inBits = 0;
  let outBits = 0;
  for (let cursorMs = fromMs; cursorMs < toMs;) {
    const slot = Math.floor(cursorMs / SLOT_MS);
    const untilMs = Math.min((slot + 1) * SLOT_MS, toMs);
    const seconds = (untilMs - cursorMs) / 1000;
    const level = levelAt(slot * SLOT_MS);
    inBits += traffic.inBitsPerSecond * level * roughness(traffic.seed, slot, 1) * seconds;
    outBits += traffic.outBitsPerSecond * level * roughness(traffic.seed, slot, 2) * seconds;
    cursorMs = untilMs;
  }
  return { in: Math.floor(inBits / 8), out: Math.floor(outBits / 8) };
}

function levelAt(atMs: number): number {
  const daylight = (1 + Math.cos(((atMs - BUSIEST_MS) / DAY_MS) * 2 * Math.PI)) / 2;
  const weekday = new Date(atMs).getUTCDay();
  const share = weekday === 0 || weekday === 6 ? WEEKEND_SHARE : 1;
  return (NIGHT_SHARE + (1 - NIGHT_SHARE) * daylight) * share;
}

function roughness(seed: number, slot: number, direction: number): number {
  const noise = hashed(seed, slot, direction);
  const hour = hashed(seed, Math.floor(slot / 12), direction + 2);
  const isBurst = hashed(seed, slot, 5) < BURST_CHANCE;
  return (0.75 + 0.2 * noise + 0.3 * hour) * (isBurst ? BURST_FACTOR : 1);
}

/** From 0 up to 1. */
function hashed(seed: number, slot: number, salt: number): number {
  let mixed = Math.imul(seed ^ Math.imul(slot, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(salt, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
