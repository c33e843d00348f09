// Checks the power of every server, so that changes made elsewhere are seen within a minute. Servers that change are checked
// more often, unreachable ones less and less. Concurrency is limited, so that the management network stays quiet and one dead
// BMC delays no other. A server without a record of its hardware and firmware gets one, so that later changes are noticed.
import type { PowerState } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { readInventory } from '#equipment/inventory.ts';
import type { AppendParts } from '#events/append.ts';
import { recordServerPower } from '#events/power-observations.ts';
import { jittered } from '#lib/delays.ts';
import type { Log } from '#lib/log.ts';
import {
  serverCheckSoon,
  serverInventoryAdd,
  serverObserveFailure,
  serversConfirm,
  serversToCheck,
  type ConfirmedServer,
  type DueServer,
} from '#store/devices/servers.ts';
import type { Store } from '#store/store.ts';
import { failureLog, retryDelayMs, runConcurrently, type Reconciler } from './reconciler.ts';

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
const confirmedTogether = 50;
const changedMs = 10_000;

export function powerSync(parts: PowerSyncParts): Reconciler {
  const { store, bmcs, clock } = parts;
  const checkFailures = failureLog(parts.log, 'could not check a server');
  const inventoryFailures = failureLog(parts.log, 'could not record an inventory');

  /** Most servers are as they were, so they are written together: a commit for each would be dozens per second. */
  async function checkAll(due: readonly DueServer[], signal: AbortSignal): Promise<string[]> {
    const reached: DueServer[] = [];
    let confirmed: ConfirmedServer[] = [];
    const confirm = async (): Promise<void> => {
      const batch = confirmed;
      confirmed = [];
      await serversConfirm(store.queries, batch, clock.now());
    };
    await runConcurrently(due, concurrency, signal, async (server) => {
      const state = await readPower(server, signal);
      if (state === undefined) return;
      reached.push(server);
      if (server.power_error !== null || state !== server.power_state) return recordPower(server.name, state);
      confirmed.push({ name: server.name, state, nextCheckAt: clock.now() + jittered(steadyMs) });
      if (confirmed.length >= confirmedTogether) await confirm();
    });
    await confirm();
    // Not at first contact: after a start, customers' commands come first.
    const isKnown = (server: DueServer): boolean => server.power_seen_at !== null && server.power_error === null;
    return reached.filter((server) => isKnown(server) && server.is_unrecorded).map(({ name }) => name);
  }

  /** Returns undefined if the BMC did not respond. */
  async function readPower({ name, power_seen_at }: DueServer, signal: AbortSignal): Promise<PowerState | undefined> {
    try {
      const limit = commandTimeout(signal, checkTimeoutMs);
      const state = await bmcs.use(name, (bmc) => bmc.power.state(limit));
      checkFailures.succeeded(name);
      return state;
    } catch (error) {
      // The error concerns only this server.
      const code = checkFailures.failed(name, error);
      const at = clock.now();
      await store.transaction(async (queries) => {
        await serverObserveFailure(queries, name, code);
        await serverCheckSoon(queries, name, at + retryDelayMs(at, power_seen_at));
      });
      return undefined;
    }
  }

  async function recordPower(name: string, state: PowerState): Promise<void> {
    const at = clock.now();
    await store.transaction(async (queries) => {
      const isChange = await recordServerPower(parts, queries, name, { state, source: 'sync', at });
      await serverCheckSoon(queries, name, at + jittered(isChange ? changedMs : steadyMs));
    });
  }

  async function recordInventory(name: string, signal: AbortSignal): Promise<void> {
    const limit = commandTimeout(signal, checkTimeoutMs);
    try {
      const inventory = await readInventory(bmcs, name, () => limit);
      await serverInventoryAdd(store.queries, name, { ...inventory, memoryMb: null });
      inventoryFailures.succeeded(name);
    } catch (error) {
      // It is read again after the next check.
      inventoryFailures.failed(name, error);
    }
  }

  return {
    name: 'power-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const due = await serversToCheck(store.queries, clock.now(), checksPerRun);
      const unrecorded = (await checkAll(due, signal)).slice(0, inventoriesPerRun);
      await runConcurrently(unrecorded, inventoriesPerRun, signal, (name) => recordInventory(name, signal));
      return { backlog: due.length === checksPerRun ? checksPerRun : 0 };
    },
  };
}
