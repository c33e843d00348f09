// Deletes what has expired: stored responses, sessions, tickets, workflows, events with their deliveries, traffic and attacks.
import type { Clock } from '#lib/clock.ts';
import { zoneChangesRemoveOld } from '#store/dns/zone-changes-removal.ts';
import { attacksRemoveBefore } from '#store/network/attacks.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import { licencesEnd } from '#store/billing/licences.ts';
import { consoleSessionsRemoveExpired } from '#store/devices/console-sessions.ts';
import { consoleTicketsRemoveExpired } from '#store/devices/console-tickets.ts';
import { accountsWithEventsBefore, eventsRemoveBefore } from '#store/work/events.ts';
import { mailsRemoveBefore } from '#store/mail/mails.ts';
import { idempotencyRemoveExpired } from '#store/account/idempotency.ts';
import { invitationsRemoveExpired } from '#store/account/invitations.ts';
import { keyRemoveEndedSessions } from '#store/account/keys.ts';
import { recoveriesRemoveExpired } from '#store/account/recoveries.ts';
import { signUpsRemoveExpired } from '#store/account/sign-ups.ts';
import { vncSessionsRemoveExpired } from '#store/devices/vnc-sessions.ts';
import { paymentNoticesPrune } from '#store/payments/notices.ts';
import { exportRemoveExpired } from '#store/privacy/exports.ts';
import { reloadsRemoveEnded } from '#store/devices/reloads.ts';
import type { Store } from '#store/store.ts';
import { trafficRemoveBefore } from '#store/network/traffic.ts';
import { findClockJump } from '#store/work/trusted-time.ts';
import { workflowRemoveEnded } from '#store/work/workflows.ts';
import type { Reconciler } from './reconciler.ts';

const workflowsKeptMs = 400 * dayMs;
const eventsKeptMs = 90 * dayMs;
/** Expired ones can still be sent again. */
const invitationsKeptMs = 30 * dayMs;
/** New root passwords that nobody collected. */
const passwordsKeptMs = dayMs;
/** A day more than can be queried, so that the oldest visible day is complete. */
const trafficKeptMs = 401 * dayMs;
/** Per account and transaction. */
const eventsPerTransaction = 1000;
const mailsPerTransaction = 5000;

export function housekeeping(store: Store, clock: Clock): Reconciler {
  async function removeEvents(before: number, signal: AbortSignal): Promise<number> {
    const accounts = await accountsWithEventsBefore(store.queries, before);
    let unfinished = 0;
    for (const account of accounts) {
      if (signal.aborted) return unfinished;
      const removed = await store.transaction((queries) =>
        eventsRemoveBefore(queries, account, before, eventsPerTransaction),
      );
      if (removed === eventsPerTransaction) unfinished++;
    }
    return unfinished;
  }

  return {
    name: 'housekeeping',
    everySeconds: 600,
    deadlineSeconds: 120,
    async run(signal) {
      const now = clock.now();
      // Nothing may expire because the clock is wrong: what is deleted here cannot be restored.
      if ((await findClockJump(store.queries, now)) !== undefined) return { backlog: 0 };
      await idempotencyRemoveExpired(store.queries, now);
      await keyRemoveEndedSessions(store.queries, now);
      await recoveriesRemoveExpired(store.queries, now);
      await signUpsRemoveExpired(store.queries, now);
      await invitationsRemoveExpired(store.queries, now - invitationsKeptMs);
      await consoleTicketsRemoveExpired(store.queries, now);
      await consoleSessionsRemoveExpired(store.queries, now);
      await vncSessionsRemoveExpired(store.queries, now);
      while (!signal.aborted && (await exportRemoveExpired(store.queries, now)));
      await paymentNoticesPrune(store.queries, now - eventsKeptMs);
      await licencesEnd(store.queries, dayOf(now));
      await workflowRemoveEnded(store.queries, now - workflowsKeptMs);
      await reloadsRemoveEnded(store.queries, now - workflowsKeptMs, now - passwordsKeptMs);
      // As long as the events that they are about.
      await store.transaction((queries) => mailsRemoveBefore(queries, now - eventsKeptMs, mailsPerTransaction));
      // Kept as long as the samples that they mark.
      await store.transaction((queries) => attacksRemoveBefore(queries, now - trafficKeptMs));
      await store.transaction((queries) => zoneChangesRemoveOld(queries, store.engine));
      await trafficRemoveBefore(store.queries, Math.floor((now - trafficKeptMs) / 1000));
      return { backlog: await removeEvents(now - eventsKeptMs, signal) };
    },
  };
}
