// Sends refusals late to a network that ignores them: a refusal costs as much as a cheap request, and a caller that waits
// for its answer cannot send the next request on that connection.
import { createRateLimiter } from '#lib/rate-limits.ts';

const promptRefusals = { rate: 20, burst: 40 };
/** The shortest time that a refusal asks a caller to wait. */
const lateMs = 1000;

export type Refuse = (network: string, send: () => void) => void;

export function createRefusals(
  now = () => performance.now(),
  later: (send: () => void, ms: number) => unknown = setTimeout,
): Refuse {
  const limit = createRateLimiter(now);
  return (network, send) => {
    if (limit(network, promptRefusals).allowed) send();
    else later(send, lateMs);
  };
}
