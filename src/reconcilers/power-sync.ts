// Looks at the power of the whole fleet, so that what happened behind our back is seen within a minute. What changes is
// looked at more often, what is silent less and less; so many looks at once and no more, so that the management network
// stays quiet and one dead controller delays no other.
import type { Bmcs } from '#equipment/bmcs.ts';
import type { AppendParts } from '#jobs/event-append.ts';
import { serverSeen } from '#jobs/power-seen.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { serverLookAgain, serverObserveFailure, serversToLookAt, type Server } from '#store/devices/servers.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

export interface PowerSyncParts extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
  readonly log: Log;
}

/** In one run, which is every two seconds: with 45 s between looks, enough for ten thousand servers. */
const looksInARun = 500;
const looksAtOnce = 100;
const lookMs = 4000;
const everySeconds = 2;
const steadyMs = 45_000;
const changedMs = 10_000;
const firstSilenceMs = 30_000;
const longestSilenceMs = 300_000;

export function powerSync(parts: PowerSyncParts): Reconciler {
  return {
    name: 'power-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const due = await serversToLookAt(parts.store.queries, parts.clock.now(), looksInARun);
      const waiting = due.values();
      const lane = async (): Promise<void> => {
        for (const server of waiting) {
          if (signal.aborted) return;
          await look(parts, server, signal);
        }
      };
      await Promise.all(Array.from({ length: Math.min(looksAtOnce, due.length) }, lane));
      return { backlog: due.length === looksInARun ? looksInARun : 0 };
    },
  };
}

async function look(parts: PowerSyncParts, server: Server, signal: AbortSignal): Promise<void> {
  const { store, bmcs, clock } = parts;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(lookMs)]);
    const state = await bmcs.use(server.name, (bmc) => bmc.power.state(limit));
    const at = clock.now();
    await store.transaction(async (queries) => {
      const isChange = await serverSeen(parts, queries, server.name, { state, source: 'sync', at });
      await serverLookAgain(queries, server.name, at + jittered(isChange ? changedMs : steadyMs));
    });
  } catch (error) {
    // Whatever it is, it is this server's and no other's.
    if (!(error instanceof Fault))
      parts.log.error({ err: error, server: server.name }, 'a server could not be looked at');
    const code = error instanceof Fault ? error.code : 'internal_error';
    const at = clock.now();
    const silentForMs = Math.max(0, at - (server.power_seen_at ?? at));
    const again = at + jittered(Math.min(longestSilenceMs, Math.max(firstSilenceMs, silentForMs)));
    await store.transaction(async (queries) => {
      await serverObserveFailure(queries, server.name, code);
      await serverLookAgain(queries, server.name, again);
    });
  }
}

/** Down to three quarters, so that a fleet that was switched on together is not looked at together for ever. */
function jittered(milliseconds: number): number {
  return Math.round(milliseconds * (0.75 + Math.random() / 4));
}
