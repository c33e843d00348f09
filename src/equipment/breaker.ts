// A circuit breaker per device: one that has fallen silent again and again is left alone for a while, so that it costs its
// callers no time and the network no packets. Then one call may try.
import type { ErrorCode } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';

const failuresToOpen = 5;
const openMs = 15_000;

export interface Breaker {
  /** Only silence counts: a device that answers, be it with a refusal, is there. */
  guard<T>(work: () => Promise<T>): Promise<T>;
}

/** `unreachable` is the code that says so for this kind of device. */
export function breaker(clock: Clock, unreachable: ErrorCode): Breaker {
  let failures = 0;
  let closedAgainAt = 0;
  return {
    async guard(work) {
      if (failures >= failuresToOpen && clock.now() < closedAgainAt) {
        throw new Fault(unreachable, { internal: 'the breaker is open' });
      }
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        const silent = error instanceof Fault && error.status === 504;
        failures = silent ? failures + 1 : 0;
        if (failures >= failuresToOpen) closedAgainAt = clock.now() + openMs;
        throw error;
      }
    },
  };
}
