// Sweeps what has had its time: kept answers, ended sessions, old workflows and samples of traffic.
import type { Clock } from '#kernel/clock.ts';
import { consoleTicketsRemoveExpired } from '#store/console-tickets.ts';
import { idempotencyRemoveExpired } from '#store/idempotency.ts';
import { keyRemoveEndedSessions } from '#store/keys.ts';
import type { Store } from '#store/store.ts';
import { trafficRemoveBefore } from '#store/traffic.ts';
import { workflowRemoveEnded } from '#store/workflows.ts';
import type { Reconciler } from './reconciler.ts';

const workflowsKeptMs = 400 * 86_400_000;
/** A day more than may be asked for, so that the oldest day that can be seen is whole. */
const trafficKeptMs = 401 * 86_400_000;

export function housekeeping(store: Store, clock: Clock): Reconciler {
  return {
    name: 'housekeeping',
    everySeconds: 600,
    deadlineSeconds: 120,
    async run() {
      const now = clock.now();
      await idempotencyRemoveExpired(store.queries, now);
      await keyRemoveEndedSessions(store.queries, now);
      await consoleTicketsRemoveExpired(store.queries, now);
      await workflowRemoveEnded(store.queries, now - workflowsKeptMs);
      await trafficRemoveBefore(store.queries, Math.floor((now - trafficKeptMs) / 1000));
      return { backlog: 0 };
    },
  };
}
