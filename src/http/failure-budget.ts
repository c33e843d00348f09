// For callers without a key who have to prove something: a network whose proofs failed too often is refused before any work is
// done for it. What succeeds costs nothing, so that a busy sender is never limited.
import { ApiError } from '#lib/api-error.ts';
import { createRateLimiter } from '#lib/rate-limits.ts';

const limits = { rate: 2, burst: 20 };

export interface FailureBudget {
  /** Throws `rate_limited` if the network has to wait. */
  require(network: string): void;
  count(network: string): void;
}

export function createFailureBudget(): FailureBudget {
  const limiter = createRateLimiter(() => performance.now());
  return {
    require(network) {
      const { allowed, retryAfterSeconds } = limiter(network, limits, 0);
      if (!allowed) throw new ApiError('rate_limited', { retryAfterSeconds });
    },
    count: (network) => void limiter(network, limits, 1, 'always'),
  };
}
