// Limits the responses per network (IPv4 /24, IPv6 /56), so that the name server cannot be used to flood a third party
// whose address is forged, and one network cannot take the time of all others. Every second response over the limit is
// truncated instead of dropped: a real resolver then asks again over TCP, where addresses cannot be forged.
import { BoundedMap } from '#lib/bounded-map.ts';
import { prefixOf } from './prefix.ts';

export type Verdict = 'answer' | 'truncate' | 'drop';

interface Bucket {
  tokens: number;
  atMs: number;
  truncateNext: boolean;
}

/** Seconds' worth of responses that a network can get at once. */
const burstSeconds = 2;
/** The network that was silent for the longest is forgotten first. A forger needs as many others between two packets. */
const maxPrefixes = 20_000;

export type ResponseLimit = (address: string, nowMs: number) => Verdict;

export function createResponseLimit(perSecond: number): ResponseLimit {
  const capacity = perSecond * burstSeconds;
  const buckets = new BoundedMap<string, Bucket>(maxPrefixes);
  return (address, nowMs) => {
    const prefix = prefixOf(address);
    const bucket = buckets.get(prefix) ?? { tokens: capacity, atMs: nowMs, truncateNext: false };
    buckets.set(prefix, bucket);
    bucket.tokens = Math.min(capacity, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    if (bucket.tokens >= 1) {
      bucket.tokens -= 1;
      return 'answer';
    }
    bucket.truncateNext = !bucket.truncateNext;
    return bucket.truncateNext ? 'truncate' : 'drop';
  };
}
