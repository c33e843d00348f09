// Rate limits per key: a token bucket that refills `rate` tokens a second up to `burst`; expensive requests take
// several, and what is known only afterwards may overdraw it. In memory and per process: they protect this process and
// need no round trip.
import { BoundedMap } from './bounded-map.ts';

export interface RateLimitState {
  readonly allowed: boolean;
  readonly policy: string;
  readonly state: string;
  readonly retryAfterSeconds: number;
}

interface Bucket {
  tokens: number;
  at: number;
  rate: number;
  burst: number;
  policy: string;
}

const maxBuckets = 100_000;

export interface Limits {
  readonly rate: number;
  readonly burst: number;
}

export type RateLimiter = (
  name: string,
  limits: Limits,
  cost?: number,
  spending?: 'if available' | 'always',
) => RateLimitState;

export function createRateLimiter(now: () => number): RateLimiter {
  const buckets = new BoundedMap<string, Bucket>(maxBuckets);
  return (name, { rate, burst }, cost = 1, spending = 'if available') => {
    // A request that costs more than the burst takes all of it.
    const price = Math.min(cost, burst);
    const at = now();
    let bucket = buckets.get(name);
    if (bucket === undefined || bucket.rate !== rate || bucket.burst !== burst) {
      const policy = `"key";q=${burst};w=${Math.ceil(burst / rate)}`;
      bucket = { tokens: burst, at, ...bucket, rate, burst, policy };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * rate);
    bucket.at = at;
    const allowed = spending === 'always' || bucket.tokens >= price;
    if (allowed) bucket.tokens -= price;
    return {
      allowed,
      policy: bucket.policy,
      state: `"key";r=${Math.max(0, Math.floor(bucket.tokens))};t=${Math.ceil((burst - bucket.tokens) / rate)}`,
      retryAfterSeconds: Math.max(1, Math.ceil((price - bucket.tokens) / rate)),
    };
  };
}
