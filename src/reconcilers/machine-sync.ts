// Checks all machines of each hypervisor with one call, so that lists and events reflect changes made elsewhere. If a hypervisor
// does not respond, the power of its machines is unknown, never off. Also keeps their network filters up to date, and
// restarts the creation of machines that are still pending. There can be thousands of either, so it works in slices.
import type { Capacity, Hypervisor, HostTotals, MachineInfo } from '#drivers/hypervisor/driver.ts';
import { commandTimeout, isUnreachable, runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import type { AppendParts } from '#events/append.ts';
import { recordMachinePower } from '#events/power-observations.ts';
import { ApiError, operatorMessage } from '#lib/api-error.ts';
import { jittered } from '#lib/delays.ts';
import type { Log } from '#lib/log.ts';
import { mapInSlices, pauseWork } from '#lib/slices.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import * as machines from '#store/devices/machines.ts';
import { machineName, type ComparedMachine } from '#store/devices/machines.ts';
import { batches } from '#store/engine/rows.ts';
import {
  hypervisorCapacitySet,
  hypervisorCheckSet,
  hypervisorsToCheck,
  type HypervisorRow,
} from '#store/devices/hypervisors.ts';
import type { Queries, Store } from '#store/store.ts';
import { failureLog, retryDelayMs, type FailureLog, type Reconciler } from './reconciler.ts';

export interface MachineSyncParts extends AppendParts, CommandParts {
  readonly store: Store;
  readonly hypervisors: Hypervisors;
  readonly log: Log;
  readonly instanceId: string;
}

const everySeconds = 5;
const checkTimeoutMs = 20_000;
/** Spreads the filters of a large hypervisor over several checks. */
const filterBudgetMs = 15_000;
const steadyMs = { shortest: 30_000, perMachine: 100, longest: 90_000 };
const creationsPerRun = 200;
/** A machine that is being created, or whose creation could not be started, is due again after this. */
const creationCheckMs = 600_000;
/** libvirt reads the size of every volume for it. */
const capacityMs = 600_000;
const machinesPerSlice = 500;

/** `ensureCreation` makes sure that a workflow is creating a pending machine. */
export function machineSync(
  parts: MachineSyncParts,
  ensureCreation: (queries: Queries, service: number) => Promise<void>,
): Reconciler {
  const hypervisorFailures = failureLog(parts.log, 'could not check a hypervisor');
  const creationFailures = failureLog(parts.log, 'could not start the creation of a machine');

  async function startCreations(signal: AbortSignal): Promise<void> {
    const { store, clock } = parts;
    const due = await machines.machinesDue(store.queries, clock.now(), creationsPerRun);
    const defer = (queries: Queries, services: readonly number[]) =>
      machines.machinesDefer(queries, services, clock.now() + creationCheckMs);
    const running = due.filter(({ workflow }) => workflow !== null);
    await defer(
      store.queries,
      running.map(({ service_id }) => service_id),
    );
    for (const { service_id: service, workflow } of due) {
      if (workflow !== null || signal.aborted) continue;
      try {
        await store.transaction(async (queries) => {
          await ensureCreation(queries, service);
          await defer(queries, [service]);
        });
      } catch (error) {
        creationFailures.failed(`service ${service}`, error);
        await defer(store.queries, [service]);
      }
      await pauseWork('outside a transaction');
    }
  }

  return {
    name: 'machine-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const { store, clock } = parts;
      const due = await hypervisorsToCheck(store.queries, clock.now());
      await Promise.all(due.map((row) => checkHypervisor(parts, hypervisorFailures, row, signal)));
      await startCreations(signal);
      const pending = await machines.machinesPendingCount(store.queries);
      return { backlog: pending + (await machines.machinesUnfiltered(store.queries)) };
    },
  };
}

async function checkHypervisor(
  parts: MachineSyncParts,
  failures: FailureLog,
  row: HypervisorRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, hypervisors, clock } = parts;
  const { queries } = store;
  const { name } = row;
  const limit = commandTimeout(signal, checkTimeoutMs);
  try {
    const check = async (hypervisor: Hypervisor): Promise<number> => {
      const present = await checkMachines(parts, row, hypervisor, limit);
      await filterMachines(parts, present, hypervisor, signal);
      await recordCapacity(parts, row, hypervisor, signal);
      return present.length;
    };
    const machineCount = await hypervisors.use(name, check, row.revision);
    failures.succeeded(name);
    const at = clock.now();
    const seen = { seen_at: at, error: null, error_text: '' };
    await hypervisorCheckSet(queries, name, { ...seen, next_look_at: at + jittered(checkEveryMs(machineCount)) });
  } catch (error) {
    // A check that this instance gave up says nothing about the hypervisor.
    if (signal.aborted) return;
    // The error concerns only this hypervisor.
    const code = failures.failed(name, error);
    const at = clock.now();
    await machines.machinesUnknownOnHypervisor(queries, row, code);
    const failed = { error: code, error_text: operatorMessage(error) };
    await hypervisorCheckSet(queries, name, { ...failed, next_look_at: at + retryDelayMs(at, row.seen_at) });
  }
}

/** A check costs as much as its machines, so a hypervisor with hundreds of them is checked less often. */
function checkEveryMs(machineCount: number): number {
  const { shortest, perMachine, longest } = steadyMs;
  return Math.min(longest, Math.max(shortest, machineCount * perMachine));
}

/** For staff; placement asks the hypervisor itself. An error makes it unknown until it is read again, and nothing else. */
async function recordCapacity(
  { store, clock, log }: MachineSyncParts,
  { name, capacity_at }: HypervisorRow,
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<void> {
  const at = clock.now();
  if (capacity_at !== null && Math.abs(at - capacity_at) < capacityMs) return;
  let capacity: { total: HostTotals; free: Capacity } | null = null;
  try {
    const limit = commandTimeout(signal, checkTimeoutMs);
    capacity = { total: await hypervisor.hostTotals(limit), free: await hypervisor.freeCapacity(limit) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    log.warn({ node: name, detail: operatorMessage(error) }, 'could not read the capacity of a hypervisor');
  }
  await hypervisorCapacitySet(store.queries, name, capacity, at);
}

interface PresentMachine {
  readonly machine: ComparedMachine;
  readonly now: MachineInfo;
}

/** Writes only what changed: that the others were seen is the hypervisor's `seen_at`. */
async function checkMachines(
  parts: MachineSyncParts,
  node: HypervisorRow,
  hypervisor: Hypervisor,
  limit: AbortSignal,
): Promise<readonly PresentMachine[]> {
  const { queries } = parts.store;
  // Read before the hypervisor, so that a command in between is noticed.
  const known: ComparedMachine[] = [];
  for await (const page of machines.machinesOfHypervisor(queries, node.name, machinesPerSlice)) {
    known.push(...page);
    await pauseWork('outside a transaction');
  }
  const at = parts.clock.now();
  const reported = new Map((await hypervisor.machines.list(limit)).map((machine) => [machine.name, machine]));
  const absent: number[] = [];
  const back: number[] = [];
  const changed: PresentMachine[] = [];
  const present: PresentMachine[] = [];
  await mapInSlices(known, (machine) => {
    const now = reported.get(machineName(machine.vmid));
    if (now === undefined) return void absent.push(machine.service_id);
    present.push({ machine, now });
    if (now.power !== machine.power_state || (now.member ?? null) !== machine.member) changed.push({ machine, now });
    else if (machine.power_error !== null) back.push(machine.service_id);
    return undefined;
  });
  for (const { machine, now } of changed) await recordChange(parts, machine, now.power, now.member ?? null);
  for (const batch of batches(back)) await machines.machinesConfirm(queries, batch, at);
  // Removed elsewhere, so not off but absent.
  for (const batch of batches(absent)) await machines.machinesUnknown(queries, batch, node, 'absent');
  return present;
}

/**
 * Compares what each machine may use with what its filter allows. That also covers machines without a filter: older ones, those
 * created elsewhere, and those whose filter somebody removed.
 */
async function filterMachines(
  parts: MachineSyncParts,
  present: readonly PresentMachine[],
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<void> {
  const start = performance.now();
  for (const slice of batches(present, machinesPerSlice)) {
    await filterSlice(parts, slice, hypervisor, start, signal);
    await pauseWork('outside a transaction');
  }
}

async function filterSlice(
  parts: MachineSyncParts,
  present: readonly PresentMachine[],
  hypervisor: Hypervisor,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = parts;
  const { queries } = store;
  const kept = present.filter(({ machine }) => machine.untidy < 2 && machine.unfiltered === 0);
  const networks = await machines.machineNetworks(
    queries,
    kept.map(({ machine }) => machine.service_id),
  );
  for (const { machine, now } of kept) {
    const { service_id, networks: applied } = machine;
    const wanted = networks.get(service_id)!;
    const isMissing = now.isFiltered === false;
    if (applied === wanted.join(',') && !isMissing) continue;
    if (isMissing && applied !== null) {
      log.warn({ service: service_id }, 'the network filter of a machine is missing');
      await machines.machineChange(queries, service_id, { networks: null });
    }
    // A busy machine gets it at the next check.
    const isBusy = (await deviceLockFind(queries, now.name, clock.now())) !== undefined;
    if (isBusy || performance.now() - start > filterBudgetMs) continue;
    await filterMachine(parts, machine, wanted, hypervisor, signal);
  }
}

async function filterMachine(
  parts: MachineSyncParts,
  { service_id, vmid, networks: applied, reason, detail }: ComparedMachine,
  wanted: readonly string[],
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = parts.store;
  const name = machineName(vmid);
  const lock = { device: name, holder: `filter ${parts.instanceId}`, purpose: 'a change of its network filter' };
  try {
    await runDeviceCommand(parts, lock, (limit) => hypervisor.machines.setNetworks(name, wanted, limit), { signal });
    await machines.machineChange(queries, service_id, { networks: wanted.join(','), reason: '', detail: '' });
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error)) throw error;
    if (error.code === 'device_busy') return;
    const change = { networks: null, reason: `No network filter. ${error.message}`, detail: operatorMessage(error) };
    if (applied === null && reason === change.reason && detail === change.detail) return;
    parts.log.warn({ service: service_id, code: error.code, detail: change.detail }, 'a machine has no network filter');
    await machines.machineChange(queries, service_id, change);
  }
}

async function recordChange(
  parts: MachineSyncParts,
  { service_id: service, account_id: account, power_seen_at }: ComparedMachine,
  state: 'on' | 'off',
  member: string | null,
): Promise<void> {
  await parts.store.transaction(async (queries) => {
    // A command changed the machine after the hypervisor reported it.
    if ((await machines.machineFind(queries, service))?.power_seen_at !== power_seen_at) return;
    await machines.machineMemberSet(queries, service, member);
    await recordMachinePower(parts, queries, { account, service }, { state, source: 'sync', at: parts.clock.now() });
  });
}
