// Checks all machines of each hypervisor with one call, so that lists and events reflect changes made elsewhere. If a hypervisor
// does not respond, the power of its machines is unknown, never off. Also keeps their network filters up to date, and
// restarts the creation of machines that are still pending.
import type { Hypervisor, MachineInfo } from '#drivers/hypervisor/driver.ts';
import { commandTimeout, isUnreachable, runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import type { AppendParts } from '#events/append.ts';
import { recordMachinePower } from '#events/power-observations.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import * as machines from '#store/devices/machines.ts';
import { machineName, type Machine } from '#store/devices/machines.ts';
import { hypervisorCheckSet, hypervisorsToCheck, type HypervisorRow } from '#store/devices/hypervisors.ts';
import type { Queries, Store } from '#store/store.ts';
import { jittered, retryDelayMs, type Reconciler } from './reconciler.ts';

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
const steadyMs = 30_000;

/** `ensureCreation` makes sure that a workflow is creating a pending machine. */
export function machineSync(
  parts: MachineSyncParts,
  ensureCreation: (queries: Queries, service: number) => Promise<void>,
): Reconciler {
  return {
    name: 'machine-sync',
    everySeconds,
    deadlineSeconds: 60,
    async run(signal) {
      const { store, clock } = parts;
      const due = await hypervisorsToCheck(store.queries, clock.now());
      await Promise.all(due.map((row) => checkHypervisor(parts, row, signal)));
      const pending = await machines.machinesPending(store.queries);
      for (const { service_id } of pending) await store.transaction((queries) => ensureCreation(queries, service_id));
      return { backlog: pending.length + (await machines.machinesUnfiltered(store.queries)) };
    },
  };
}

async function checkHypervisor(parts: MachineSyncParts, row: HypervisorRow, signal: AbortSignal): Promise<void> {
  const { store, hypervisors, clock, log } = parts;
  const { queries } = store;
  const { name } = row;
  const limit = commandTimeout(signal, checkTimeoutMs);
  try {
    await hypervisors.use(name, async (hypervisor) => {
      const present = await checkMachines(parts, name, hypervisor, limit);
      await filterMachines(parts, present, hypervisor, signal);
    });
    const at = clock.now();
    await hypervisorCheckSet(queries, name, { seen_at: at, error: null, next_look_at: at + jittered(steadyMs) });
  } catch (error) {
    // The error concerns only this hypervisor.
    if (!(error instanceof ApiError)) log.error({ err: error, hypervisor: name }, 'could not check a hypervisor');
    const code = error instanceof ApiError ? error.code : 'internal_error';
    const at = clock.now();
    await machines.machinesUnknownOnHypervisor(queries, name, code);
    await hypervisorCheckSet(queries, name, { error: code, next_look_at: at + retryDelayMs(at, row.seen_at) });
  }
}

interface PresentMachine {
  readonly machine: Machine;
  readonly now: MachineInfo;
}

/** Needs few statements for any number of machines: only changed ones are written individually. */
async function checkMachines(
  parts: MachineSyncParts,
  node: string,
  hypervisor: Hypervisor,
  limit: AbortSignal,
): Promise<readonly PresentMachine[]> {
  const { store, clock } = parts;
  const known = await machines.machinesOfHypervisor(store.queries, node);
  const at = clock.now();
  const reported = new Map((await hypervisor.machines.list(limit)).map((machine) => [machine.name, machine]));
  const absent: number[] = [];
  const unchanged: number[] = [];
  const present: PresentMachine[] = [];
  for (const machine of known) {
    const now = reported.get(machineName(machine.vmid));
    if (now !== undefined) present.push({ machine, now });
    if (now === undefined) absent.push(machine.service_id);
    else if (now.power === machine.power_state && (now.member ?? null) === machine.member)
      unchanged.push(machine.service_id);
    else await recordChange(parts, machine, now.power, now.member ?? null);
  }
  await machines.machinesConfirm(store.queries, unchanged, at);
  // Removed elsewhere, so not off but absent.
  await machines.machinesUnknown(store.queries, absent, 'absent');
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
  const { store, clock, log } = parts;
  const start = performance.now();
  const { queries } = store;
  const kept = present.filter(({ machine }) => machine.untidy < 2);
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
  { service_id, vmid, networks: applied, reason }: Machine,
  wanted: readonly string[],
  hypervisor: Hypervisor,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = parts.store;
  const name = machineName(vmid);
  const lock = { device: name, holder: `filter ${parts.instanceId}`, purpose: 'a change of its network filter' };
  try {
    await runDeviceCommand(parts, lock, (limit) => hypervisor.machines.setNetworks(name, wanted, limit), { signal });
    await machines.machineChange(queries, service_id, { networks: wanted.join(','), reason: '' });
  } catch (error) {
    if (!(error instanceof ApiError) || isUnreachable(error)) throw error;
    if (error.code === 'device_busy') return;
    const change = { networks: null, reason: `No network filter. ${error.message}` };
    if (applied !== null || reason !== change.reason) await machines.machineChange(queries, service_id, change);
  }
}

async function recordChange(
  parts: MachineSyncParts,
  { service_id: service, account_id: account, power_seen_at }: Machine,
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
