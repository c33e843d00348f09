// Sweeps what has had its time: kept answers, ended sessions, tickets, old workflows, old events with their deliveries,
// samples of traffic, attacks.
import type { Clock } from '#kernel/clock.ts';
import { attacksRemoveBefore } from '#store/network/attack-retention.ts';
import { dayOf } from '#kernel/moments.ts';
import { licencesEnd } from '#store/billing/licences.ts';
import { consoleTicketsRemoveExpired } from '#store/devices/console-tickets.ts';
import { accountsWithEventsBefore, eventsRemoveBefore } from '#store/work/event-retention.ts';
import { idempotencyRemoveExpired } from '#store/account/idempotency.ts';
import { keyRemoveEndedSessions } from '#store/account/keys.ts';
import { screenSessionsRemoveExpired } from '#store/devices/screen-sessions.ts';
import { reloadsRemoveEnded } from '#store/devices/reloads.ts';
import type { Store } from '#store/store.ts';
import { trafficRemoveBefore } from '#store/network/traffic.ts';
import { workflowRemoveEnded } from '#store/work/workflows.ts';
import type { Reconciler } from './reconciler.ts';

const day = 86_400_000;
const workflowsKeptMs = 400 * day;
const eventsKeptMs = 90 * day;
/** A new root password that nobody has come for. */
const passwordsKeptMs = day;
/** A day more than may be asked for, so that the oldest day that can be seen is whole. */
const trafficKeptMs = 401 * day;
/** Of one account in one transaction. */
const eventsAtOnce = 1000;

export function housekeeping(store: Store, clock: Clock): Reconciler {
  async function removeEvents(before: number, signal: AbortSignal): Promise<number> {
    const accounts = await accountsWithEventsBefore(store.queries, before);
    let left = 0;
    for (const account of accounts) {
      if (signal.aborted) return left;
      const removed = await store.transaction((queries) => eventsRemoveBefore(queries, account, before, eventsAtOnce));
      if (removed === eventsAtOnce) left++;
    }
    return left;
  }

  return {
    name: 'housekeeping',
    everySeconds: 600,
    deadlineSeconds: 120,
    async run(signal) {
      const now = clock.now();
      await idempotencyRemoveExpired(store.queries, now);
      await keyRemoveEndedSessions(store.queries, now);
      await consoleTicketsRemoveExpired(store.queries, now);
      await screenSessionsRemoveExpired(store.queries, now);
      await licencesEnd(store.queries, dayOf(now));
      await workflowRemoveEnded(store.queries, now - workflowsKeptMs);
      await reloadsRemoveEnded(store.queries, now - workflowsKeptMs, now - passwordsKeptMs);
      // With the samples that they mark.
      await store.transaction((queries) => attacksRemoveBefore(queries, now - trafficKeptMs));
      await trafficRemoveBefore(store.queries, Math.floor((now - trafficKeptMs) / 1000));
      return { backlog: await removeEvents(now - eventsKeptMs, signal) };
    },
  };
}
