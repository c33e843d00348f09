// Checks the power of every server, so that changes made elsewhere are seen within a minute. Servers that change are checked
// more often, unreachable ones less and less. Concurrency is limited, so that the management network stays quiet and one dead
// BMC delays no other. A server without a record of its hardware and firmware gets one, so that later changes are noticed.
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { readInventory } from '#equipment/inventory.ts';
import type { AppendParts } from '#events/append.ts';
import { recordServerPower } from '#events/power-observations.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import {
  serverCheckSoon,
  serverInventoryAdd,
  serverObserveFailure,
  serversToCheck,
  type Server,
} from '#store/devices/servers.ts';
import type { Store } from '#store/store.ts';
import { jittered, retryDelayMs, runConcurrently, type Reconciler } from './reconciler.ts';

export interface PowerSyncParts extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
  readonly log: Log;
}

/** With a run every 2 s and 45 s between checks, enough for ten thousand servers. */
const checksPerRun = 500;
const concurrency = 100;
const checkTimeoutMs = 4000;
/** Reading one takes dozens of commands. */
const inventoriesPerRun = 10;
const everySeconds = 2;
const steadyMs = 45_000;
const changedMs = 10_000;

export function powerSync(parts: PowerSyncParts): Reconciler {
  return {
    name: 'power-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const due = await serversToCheck(parts.store.queries, parts.clock.now(), checksPerRun);
      const unrecorded: string[] = [];
      await runConcurrently(due, concurrency, signal, async (server) => {
        const isReachable = await checkPower(parts, server, signal);
        // Not at first contact: after a start, customers' commands come first.
        const isKnown = server.power_seen_at !== null && server.power_error === null;
        if (isReachable && isKnown && server.inventory === null) unrecorded.push(server.name);
      });
      const next = unrecorded.slice(0, inventoriesPerRun);
      await runConcurrently(next, inventoriesPerRun, signal, (name) => recordInventory(parts, name, signal));
      return { backlog: due.length === checksPerRun ? checksPerRun : 0 };
    },
  };
}

/** Returns whether the BMC responded. */
async function checkPower(parts: PowerSyncParts, server: Server, signal: AbortSignal): Promise<boolean> {
  const { store, bmcs, clock } = parts;
  try {
    const limit = commandTimeout(signal, checkTimeoutMs);
    const state = await bmcs.use(server.name, (bmc) => bmc.power.state(limit));
    const at = clock.now();
    await store.transaction(async (queries) => {
      const isChange = await recordServerPower(parts, queries, server.name, { state, source: 'sync', at });
      await serverCheckSoon(queries, server.name, at + jittered(isChange ? changedMs : steadyMs));
    });
    return true;
  } catch (error) {
    // The error concerns only this server.
    if (!(error instanceof ApiError)) parts.log.error({ err: error, server: server.name }, 'could not check a server');
    const code = error instanceof ApiError ? error.code : 'internal_error';
    const at = clock.now();
    const nextCheck = at + retryDelayMs(at, server.power_seen_at);
    await store.transaction(async (queries) => {
      await serverObserveFailure(queries, server.name, code);
      await serverCheckSoon(queries, server.name, nextCheck);
    });
    return false;
  }
}

async function recordInventory({ store, bmcs, log }: PowerSyncParts, name: string, signal: AbortSignal): Promise<void> {
  const limit = commandTimeout(signal, checkTimeoutMs);
  try {
    const inventory = await readInventory(bmcs, name, () => limit);
    await serverInventoryAdd(store.queries, name, { ...inventory, memoryMb: null });
  } catch (error) {
    // It is read again after the next check.
    if (!(error instanceof ApiError)) log.error({ err: error, server: name }, 'could not record an inventory');
  }
}
