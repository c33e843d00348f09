// Traffic that looks like a customer's: daily and weekly cycles, noise, and occasional bursts. It is a function of time
// alone, so that the lab's stored history matches its switch's counters.
import { dayMs } from '#lib/time.ts';

export interface LabTraffic {
  readonly seed: number;
  /** The rate in the afternoon of a working day. */
  readonly inBitsPerSecond: number;
  readonly outBitsPerSecond: number;
}

export interface Octets {
  readonly in: number;
  readonly out: number;
}

const slotMs = 300_000;
/** 2 pm UTC. */
const busiestMs = 14 * 3_600_000;
const nightShare = 0.25;
const weekendShare = 0.6;
const burstChance = 0.01;
const burstFactor = 1.9;

/** Returns whole bytes. Consecutive spans add up, except for rounding. */
export function labOctetsBetween(traffic: LabTraffic, fromMs: number, toMs: number): Octets {
  let inBits = 0;
  let outBits = 0;
  for (let cursorMs = fromMs; cursorMs < toMs;) {
    const slot = Math.floor(cursorMs / slotMs);
    const untilMs = Math.min((slot + 1) * slotMs, toMs);
    const seconds = (untilMs - cursorMs) / 1000;
    const level = levelAt(slot * slotMs);
    inBits += traffic.inBitsPerSecond * level * roughness(traffic.seed, slot, 1) * seconds;
    outBits += traffic.outBitsPerSecond * level * roughness(traffic.seed, slot, 2) * seconds;
    cursorMs = untilMs;
  }
  return { in: Math.floor(inBits / 8), out: Math.floor(outBits / 8) };
}

function levelAt(atMs: number): number {
  const daylight = (1 + Math.cos(((atMs - busiestMs) / dayMs) * 2 * Math.PI)) / 2;
  // 1970 began on a Thursday.
  const daysSinceSaturday = (Math.floor(atMs / dayMs) + 5) % 7;
  const share = daysSinceSaturday < 2 ? weekendShare : 1;
  return (nightShare + (1 - nightShare) * daylight) * share;
}

function roughness(seed: number, slot: number, direction: number): number {
  const noise = pseudoRandom(seed, slot, direction);
  const hour = pseudoRandom(seed, Math.floor(slot / 12), direction + 2);
  const isBurst = pseudoRandom(seed, slot, 5) < burstChance;
  return (0.75 + 0.2 * noise + 0.3 * hour) * (isBurst ? burstFactor : 1);
}

/** Returns a number in [0, 1). */
function pseudoRandom(seed: number, slot: number, salt: number): number {
  let mixed = Math.imul(seed ^ Math.imul(slot, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(salt, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
}
