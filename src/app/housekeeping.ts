// What must be swept now and then: answers past their seven days, sessions that ended.
import { idempotencyRemoveExpired } from '#store/idempotency.ts';
import { keyRemoveEndedSessions } from '#store/keys.ts';
import type { Yard } from './yard.ts';

const everyMs = 10 * 60_000;

export function startHousekeeping(yard: Yard): { stop(): void } {
  const sweep = async (): Promise<void> => {
    try {
      await idempotencyRemoveExpired(yard.store.queries, yard.clock.now());
      await keyRemoveEndedSessions(yard.store.queries, yard.clock.now());
    } catch (error) {
      yard.log.warn({ err: error }, 'housekeeping failed; it is tried again later');
    }
  };
  const timer = setInterval(() => void sweep(), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
