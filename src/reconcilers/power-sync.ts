// Checks the power of every server, so that changes made elsewhere are seen within a minute. Servers that change are checked
// more often, unreachable ones less and less. Concurrency is limited, so that the management network stays quiet and one dead
// BMC delays no other. A server without a record of its hardware and firmware gets one, so that later changes are noticed.
//
// Most servers are as they were. When these are due is known only in memory, and that they were seen is written for all of them
// every few minutes: otherwise an idle fleet would rewrite thousands of rows a minute.
import type { PowerState } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { readInventory } from '#equipment/inventory.ts';
import type { AppendParts } from '#events/append.ts';
import { recordServerPower } from '#events/power-observations.ts';
import { jittered } from '#lib/delays.ts';
import type { Log } from '#lib/log.ts';
import { pauseWork } from '#lib/slices.ts';
import {
  serverCheckSoon,
  serverFind,
  serverInventoryAdd,
  serverObserveFailure,
  serversConfirm,
  serversDueLater,
  serversToCheck,
  serversToCheckAgain,
  type DueServer,
} from '#store/devices/servers.ts';
import { batches } from '#store/engine/rows.ts';
import type { Store } from '#store/store.ts';
import { combineWrites } from './batching.ts';
import { failureLog, retryDelayMs, runConcurrently, type Reconciler } from './reconciler.ts';
import { wholeShare, type Share } from './share.ts';
import { timeLimits, type TimeLimits } from './time-limits.ts';

export interface PowerSyncParts extends AppendParts {
  readonly store: Store;
  readonly bmcs: Bmcs;
  readonly log: Log;
}

/** With a run every 5 s and 45 s between checks, enough for ten thousand servers. */
const checksPerRun = 1200;
const concurrency = 100;
/** Reading one takes dozens of commands. */
const inventoriesPerRun = 10;
const everySeconds = 5;
const steadyMs = 45_000;
const changedMs = 10_000;
const confirmEveryMs = 300_000;
const confirmedTogether = 100;
const collectMs = 50;
/** After this long without a run, another instance has checked the servers, or none has. */
const absentMs = 30_000;
/** A run starts no check after this, so that the slowest controllers end before its deadline. */
const startChecksForMs = 60_000;
const deadlineSeconds = 120;

/** A server in its recorded state. */
interface SteadyServer {
  readonly nextCheckAt: number;
  /** Undefined if another instance saw it, or it is confirmed already. */
  readonly seen?: { readonly state: PowerState; readonly at: number };
}

interface Failure {
  readonly name: string;
  readonly error: string;
  readonly nextCheckAt: number;
}

export function powerSync(parts: PowerSyncParts): Reconciler {
  const { store, bmcs, clock } = parts;
  const checkFailures = failureLog(parts.log, 'could not check a server');
  const inventoryFailures = failureLog(parts.log, 'could not record an inventory');
  // One entry per server.
  const steady = new Map<string, SteadyServer>();
  // When the management network fails, thousands do within seconds. In the order of names, like other transactions that change
  // several servers.
  const recordFailure = combineWrites<Failure>(store, collectMs, async (queries, failures) => {
    for (const { name, error, nextCheckAt } of failures.toSorted((one, other) => (one.name < other.name ? -1 : 1)))
      await serverObserveFailure(queries, name, error, nextCheckAt);
  });
  let lastRunAt = -Infinity;
  let confirmedAt = -Infinity;
  let instances: readonly string[] = [];

  /** Returns the servers of the share that are due, in the database or in memory. */
  async function listDue(share: Share): Promise<{ readonly stored: DueServer[]; readonly remembered: DueServer[] }> {
    const now = clock.now();
    const isAbsent = Math.abs(now - lastRunAt) > absentMs;
    const isNewShare = share.instances !== instances;
    instances = share.instances;
    if (isAbsent) steady.clear();
    if (isNewShare) for (const name of steady.keys()) if (!share.has(name)) steady.delete(name);
    if (isAbsent || isNewShare)
      for (const name of await serversDueLater(store.queries, now))
        if (share.has(name) && !steady.has(name)) steady.set(name, { nextCheckAt: now + Math.random() * steadyMs });
    const allDue = await serversToCheck(store.queries, now, checksPerRun * Math.max(1, instances.length));
    const stored = allDue.filter(({ name }) => share.has(name)).slice(0, checksPerRun);
    for (const { name } of stored) steady.delete(name);
    // One that is due much later was scheduled before the clock was set.
    const isDue = ({ nextCheckAt }: SteadyServer): boolean => nextCheckAt <= now || nextCheckAt > now + 2 * steadyMs;
    const again = [...steady].filter(([, server]) => isDue(server)).map(([name]) => name);
    const names = again.slice(0, checksPerRun - stored.length);
    const remembered = await serversToCheckAgain(store.queries, names);
    const listed = new Set(remembered.map(({ name }) => name));
    // Removed servers.
    for (const name of names) if (!listed.has(name)) steady.delete(name);
    return { stored, remembered };
  }

  async function checkAll(due: readonly DueServer[], signal: AbortSignal): Promise<string[]> {
    const reached: DueServer[] = [];
    const untilMs = performance.now() + startChecksForMs;
    using limits = timeLimits(signal);
    await runConcurrently(due, concurrency, signal, async (server) => {
      if (performance.now() > untilMs) return;
      const { name } = server;
      const state = await readPower(server, limits, signal);
      if (state === undefined) return;
      reached.push(server);
      if (server.power_error !== null || state !== server.power_state) return recordPower(server, state);
      const at = clock.now();
      steady.set(name, { nextCheckAt: at + jittered(steadyMs), seen: { state, at } });
    });
    // Not at first contact: after a start, customers' commands come first.
    const isKnown = (server: DueServer): boolean => server.power_seen_at !== null && server.power_error === null;
    return reached.filter((server) => isKnown(server) && server.is_unrecorded).map(({ name }) => name);
  }

  /** Writes that these servers were seen, in the order of the rows, so that they share pages of the database. */
  async function confirm(names: Iterable<string>, signal: AbortSignal): Promise<void> {
    const seen = [...names].sort().flatMap((name) => {
      const server = steady.get(name);
      return server?.seen === undefined ? [] : { name, ...server.seen };
    });
    // If this instance stops, others find them due.
    const nextCheckAt = clock.now() + confirmEveryMs + 2 * steadyMs;
    for (const batch of batches(seen, confirmedTogether)) {
      if (signal.aborted) return;
      await serversConfirm(store.queries, batch, nextCheckAt);
      for (const { name } of batch) steady.set(name, { nextCheckAt: steady.get(name)!.nextCheckAt });
      await pauseWork('outside a transaction');
    }
  }

  /** Returns undefined if the BMC did not respond. */
  async function readPower(
    { name, bmc_revision, power_seen_at }: DueServer,
    limits: TimeLimits,
    signal: AbortSignal,
  ): Promise<PowerState | undefined> {
    try {
      const state = await bmcs.use(
        name,
        ({ power }, { checkMs }) => limits.run(checkMs, (limit) => power.state(limit)),
        bmc_revision,
      );
      checkFailures.succeeded(name);
      return state;
    } catch (error) {
      // An aborted check says nothing about the server.
      if (signal.aborted) return undefined;
      // The error concerns only this server.
      const code = checkFailures.failed(name, error);
      const at = clock.now();
      const seenAt = steady.get(name)?.seen?.at ?? power_seen_at;
      steady.delete(name);
      await recordFailure({ name, error: code, nextCheckAt: at + retryDelayMs(at, seenAt) });
      return undefined;
    }
  }

  async function recordPower({ name, power_seen_at }: DueServer, state: PowerState): Promise<void> {
    const at = clock.now();
    steady.delete(name);
    await store.transaction(async (queries) => {
      // Otherwise a command may have changed the server after its BMC answered. It is checked again in the next run.
      if ((await serverFind(queries, name))?.power_seen_at !== power_seen_at) return serverCheckSoon(queries, name, at);
      const isChange = await recordServerPower(parts, queries, name, { state, source: 'sync', at });
      await serverCheckSoon(queries, name, at + jittered(isChange ? changedMs : steadyMs));
    });
  }

  async function recordInventory(name: string, signal: AbortSignal): Promise<void> {
    try {
      let limit: AbortSignal | undefined;
      const inventory = await readInventory(bmcs, name, ({ checkMs }) => (limit ??= commandTimeout(signal, checkMs)));
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
    deadlineSeconds,
    isShared: true,
    async run(signal, share = wholeShare) {
      const { stored, remembered } = await listDue(share);
      const due = [...stored, ...remembered];
      const unrecorded = (await checkAll(due, signal)).slice(0, inventoriesPerRun);
      const isTimeForAll = Math.abs(clock.now() - confirmedAt) > confirmEveryMs;
      if (isTimeForAll) confirmedAt = clock.now();
      await confirm(isTimeForAll ? steady.keys() : stored.map(({ name }) => name), signal);
      await runConcurrently(unrecorded, inventoriesPerRun, signal, (name) => recordInventory(name, signal));
      lastRunAt = clock.now();
      return { backlog: due.length === checksPerRun ? checksPerRun : 0 };
    },
  };
}
