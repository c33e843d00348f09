// A budget of requests per key: `rate` a second, saved up to `burst`; what is costly takes several. Kept in memory and per process:
// it guards this process, and needs no round trip.
export interface Budget {
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

const bucketsKept = 100_000;

export interface Limits {
  readonly rate: number;
  readonly burst: number;
}

export function budgets(now: () => number): (name: string, limits: Limits, cost?: number) => Budget {
  const buckets = new Map<string, Bucket>();
  return (name, { rate, burst }, cost = 1) => {
    // What costs more than can be saved up takes all of it.
    const price = Math.min(cost, burst);
    const at = now();
    let bucket = buckets.get(name);
    if (bucket === undefined || bucket.rate !== rate || bucket.burst !== burst) {
      // All full buckets are alike, so forgetting them costs nothing; the others are given a little too much.
      if (buckets.size >= bucketsKept) buckets.clear();
      const policy = `"key";q=${burst};w=${Math.ceil(burst / rate)}`;
      bucket = { tokens: burst, at, ...bucket, rate, burst, policy };
      buckets.set(name, bucket);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * rate);
    bucket.at = at;
    const allowed = bucket.tokens >= price;
    if (allowed) bucket.tokens -= price;
    return {
      allowed,
      policy: bucket.policy,
      state: `"key";r=${Math.floor(bucket.tokens)};t=${Math.ceil((burst - bucket.tokens) / rate)}`,
      retryAfterSeconds: Math.max(1, Math.ceil((price - bucket.tokens) / rate)),
    };
  };
}
