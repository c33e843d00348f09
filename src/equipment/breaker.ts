// A circuit breaker per device: one that has fallen silent again and again is left alone for a while, so that it costs its
// callers no time and the network no packets. Then one call may try, and what becomes of it decides for all.
import type { ErrorCode } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';

const failuresToOpen = 5;
const openMs = 15_000;

export interface Breaker {
  /** Only silence counts: a device that answers, be it with a refusal, is there. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** It was told to go away for a while: until then its silence is no failure, and callers wait for it. */
  expectSilence(milliseconds: number): void;
}

/** `unreachable` is the code that says so for this kind of device. */
export function breaker(clock: Clock, unreachable: ErrorCode): Breaker {
  let failures = 0;
  let closedAgainAt = 0;
  let silentUntil = 0;
  let isTrying = false;
  return {
    async guard(work) {
      const isOpen = failures >= failuresToOpen;
      const leftMs = closedAgainAt - clock.now();
      // More than all of it is left where the clock was set back meanwhile.
      if (isOpen && (isTrying || (leftMs > 0 && leftMs <= openMs))) {
        throw new Fault(unreachable, { internal: 'the breaker is open' });
      }
      isTrying = isOpen;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        const isSilent = error instanceof Fault && error.status === 504;
        if (!isSilent) failures = 0;
        else if (clock.now() >= silentUntil) failures++;
        if (failures >= failuresToOpen) closedAgainAt = clock.now() + openMs;
        throw error;
      } finally {
        if (isOpen) isTrying = false;
      }
    },
    expectSilence(milliseconds) {
      silentUntil = clock.now() + milliseconds;
      failures = 0;
    },
  };
}
