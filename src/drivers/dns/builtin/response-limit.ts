// Limits the responses per network (IPv4 /24, IPv6 /56), so that the name server cannot be used to flood a third party
// whose address is forged, and one network cannot take the time of all others. Every second response over the limit is
// truncated instead of dropped: a real resolver then asks again over TCP, where addresses cannot be forged. The buckets
// are in shared memory: the limit holds for all threads together.
import { randomBytes } from 'node:crypto';
import type { PeerAddress } from './peer-address.ts';

export type Verdict = 'answer' | 'truncate' | 'drop';

/** Seconds' worth of responses that a network can get at once. */
const burstSeconds = 2;
/**
 * A network has its bucket in one of four places. Of the four, the one that was silent for the longest is forgotten
 * first; which networks share them is secret, so that a forger cannot make it forget one.
 */
const places = 4;
const sets = 1 << 15;

/** Words of a bucket: its network, and its last verdict over the limit. */
const words = { high: 0, low: 1, verdict: 2, count: 3 };
const verdicts = { unused: 0, drop: 1, truncate: 2 };
/** Numbers of a bucket: the rest of its limit, and the time at which that was counted. */
const numbers = { tokens: 0, atMs: 1, count: 2 };

export type LimitMemory = SharedArrayBuffer;

const numberBytes = sets * places * numbers.count * Float64Array.BYTES_PER_ELEMENT;
const wordBytes = (sets * places * words.count + 1) * Uint32Array.BYTES_PER_ELEMENT;

export function createLimitMemory(): LimitMemory {
  const memory = new SharedArrayBuffer(numberBytes + wordBytes);
  new Uint8Array(memory).set(randomBytes(Uint32Array.BYTES_PER_ELEMENT), memory.byteLength - 4);
  return memory;
}

export type ResponseLimit = (address: PeerAddress, nowMs: number) => Verdict;

export function createResponseLimit(perSecond: number, memory = createLimitMemory()): ResponseLimit {
  const capacity = perSecond * burstSeconds;
  const state = new Float64Array(memory, 0, numberBytes / Float64Array.BYTES_PER_ELEMENT);
  const keys = new Uint32Array(memory, numberBytes);
  const secret = keys.at(-1)! | 1;

  /** Returns the bucket of the network, which may have been another's until now. */
  function findBucket(high: number, low: number, nowMs: number): number {
    let hash = Math.imul(high ^ Math.imul(low, 0x85ebca6b), secret);
    hash = Math.imul(hash ^ (hash >>> 15), secret);
    const first = ((hash >>> 17) & (sets - 1)) * places;
    let oldest = first;
    for (let bucket = first; bucket < first + places; bucket++) {
      const key = bucket * words.count;
      if (keys[key + words.verdict] === verdicts.unused) {
        oldest = bucket;
        break;
      }
      if (keys[key + words.high] === high && keys[key + words.low] === low) return bucket;
      if (state[bucket * numbers.count + numbers.atMs]! < state[oldest * numbers.count + numbers.atMs]!)
        oldest = bucket;
    }
    keys[oldest * words.count + words.high] = high;
    keys[oldest * words.count + words.low] = low;
    keys[oldest * words.count + words.verdict] = verdicts.drop;
    state[oldest * numbers.count + numbers.tokens] = capacity;
    state[oldest * numbers.count + numbers.atMs] = nowMs;
    return oldest;
  }

  return (address, nowMs) => {
    const bucket = findBucket(address.prefixHigh, address.prefixLow, nowMs);
    const tokensAt = bucket * numbers.count + numbers.tokens;
    const atMsAt = bucket * numbers.count + numbers.atMs;
    const earned = (Math.max(0, nowMs - state[atMsAt]!) / 1000) * perSecond;
    state[tokensAt] = Math.min(capacity, state[tokensAt]! + earned);
    state[atMsAt] = nowMs;
    if (state[tokensAt]! >= 1) {
      state[tokensAt]! -= 1;
      return 'answer';
    }
    const verdictAt = bucket * words.count + words.verdict;
    const isTruncated = keys[verdictAt] === verdicts.drop;
    keys[verdictAt] = isTruncated ? verdicts.truncate : verdicts.drop;
    return isTruncated ? 'truncate' : 'drop';
  };
}
