// Checks all machines of each hypervisor with one call, so that lists and events reflect changes made elsewhere. If a hypervisor
// does not respond, the power of its machines is unknown, never off. Also meters traffic, machine by machine, and restarts the
// creation of machines that are still pending.
import type { Hypervisor, MachineUsage } from '#drivers/hypervisor/driver.ts';
import { readMachineMeter } from '#equipment/machine-meter.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import type { AppendParts } from '#events/append.ts';
import { recordMachinePower } from '#events/power-observations.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import * as machines from '#store/devices/machines.ts';
import { machineName, type Machine } from '#store/devices/machines.ts';
import { hypervisorCheckSet, hypervisorsToCheck, type HypervisorRow } from '#store/devices/hypervisors.ts';
import type { Queries, Store } from '#store/store.ts';
import { jittered, retryDelayMs, type Reconciler } from './reconciler.ts';

export interface MachineSyncParts extends AppendParts {
  readonly store: Store;
  readonly hypervisors: Hypervisors;
  readonly log: Log;
}

const everySeconds = 5;
const checkTimeoutMs = 20_000;
const steadyMs = 30_000;
const meterIntervalMs = 600_000;
/** Keeps the check of a large hypervisor short. */
const metersPerCheck = 50;

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
      return { backlog: pending.length };
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
      await checkMachines(parts, name, hypervisor, limit);
      await meterTraffic(parts, name, hypervisor, limit);
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

/** Needs few statements for any number of machines: only changed ones are written individually. */
async function checkMachines(
  parts: MachineSyncParts,
  node: string,
  hypervisor: Hypervisor,
  limit: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  const known = await machines.machinesOfHypervisor(store.queries, node);
  const at = clock.now();
  const reported = new Map((await hypervisor.machines.list(limit)).map((machine) => [machine.name, machine]));
  const absent: number[] = [];
  const unchanged: number[] = [];
  for (const machine of known) {
    const now = reported.get(machineName(machine.vmid));
    if (now === undefined) absent.push(machine.service_id);
    else if (now.power === machine.power_state && (now.member ?? null) === machine.member)
      unchanged.push(machine.service_id);
    else await recordChange(parts, machine, now.power, now.member ?? null);
  }
  await machines.machinesConfirm(store.queries, unchanged, at);
  // Removed elsewhere, so not off but absent.
  await machines.machinesUnknown(store.queries, absent, 'absent');
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

async function meterTraffic(
  parts: MachineSyncParts,
  node: string,
  hypervisor: Hypervisor,
  limit: AbortSignal,
): Promise<void> {
  const { store, clock } = parts;
  const due = await machines.machinesToMeter(store.queries, node, clock.now(), metersPerCheck);
  const now = clock.now();
  const readings: { machine: Machine; use: MachineUsage }[] = [];
  for (const machine of due)
    readings.push({ machine, use: await hypervisor.statistics.read(machineName(machine.vmid), limit) });
  await store.transaction(async (queries) => {
    for (const { machine, use } of readings) {
      const next_meter_at = now + jittered(meterIntervalMs);
      await machines.machineTrafficSet(queries, machine, { ...readMachineMeter(machine, use, now), next_meter_at });
    }
  });
}
