// Reads what every virtual machine uses once a minute, with one call per hypervisor, and turns it into five-minute samples. A
// hypervisor that does not respond leaves a gap, never zeros or a peak.
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { addMachineSamples, sampleMachine, type MachineMeters } from '#equipment/machine-samples.ts';
import { fromStoredMeter, toStoredMeter } from '#equipment/traffic.ts';
import { pauseWork } from '#lib/slices.ts';
import { hypervisorSampleSet, hypervisorsToSample, type HypervisorRow } from '#store/devices/hypervisors.ts';
import { machineName, machinesOfHypervisor, type Machine } from '#store/devices/machines.ts';
import { machineMeters, machineMetersOf, machineMetersPut } from '#store/network/machine-samples.ts';
import type { MachineMeterTable } from '#store/network/tables.ts';
import type { CounterReading } from '#traffic/meter.ts';
import { nextPollAt, pollingReconciler, pollTimeoutMs } from './poll.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface MachineSamplesParts extends ReconcilerParts {
  readonly hypervisors: Hypervisors;
}

/** Keeps transactions short. */
const machinesPerTransaction = 50;

export function machineSampling(parts: MachineSamplesParts): Reconciler {
  const failures = failureLog(parts.log, 'could not sample a hypervisor');
  return pollingReconciler(
    'machine-samples',
    (limit) => hypervisorsToSample(parts.store.queries, parts.clock.now(), limit),
    (node, signal) => sampleHypervisor(parts, failures, node, signal),
  );
}

/** machine-sync.ts reports a hypervisor that does not respond. */
async function sampleHypervisor(
  parts: MachineSamplesParts,
  failures: FailureLog,
  { name, next_sample_at, sampled_since }: HypervisorRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, hypervisors } = parts;
  const nextAt = nextPollAt(clock.now(), next_sample_at);
  try {
    const atMs = clock.now();
    const since = sampled_since === 0 ? atMs : sampled_since;
    if (since !== sampled_since) await hypervisorSampleSet(store.queries, name, { sampled_since: since });
    const time = { atMs, upTimeTicks: Math.round((atMs - since) / 10) };
    const limit = commandTimeout(signal, pollTimeoutMs);
    const usages = await hypervisors.use(name, ({ statistics }) => statistics.readAll(limit));
    // Machines of terminated services are about to be deleted, and their history has ended.
    for await (const page of machinesOfHypervisor(store.queries, name, machinesPerTransaction)) {
      const machines = page.filter(({ untidy }) => untidy < 2);
      await storeSamples(parts, name, machines, usages, time);
      await pauseWork('outside a transaction');
    }
    failures.succeeded(name);
  } catch (error) {
    if (signal.aborted) return;
    failures.failed(name, error);
  }
  await hypervisorSampleSet(store.queries, name, { next_sample_at: nextAt });
}

async function storeSamples(
  { store }: MachineSamplesParts,
  node: string,
  machines: readonly Machine[],
  usages: ReadonlyMap<string, MachineUsage>,
  time: Pick<CounterReading, 'atMs' | 'upTimeTicks'>,
): Promise<void> {
  await store.transaction(async (queries) => {
    const services = machines.map(({ service_id }) => service_id);
    const known = await machineMetersOf(queries, services);
    const rows: MachineMeterTable[] = [];
    for (const { service_id, vmid } of machines) {
      const usage = usages.get(machineName(vmid));
      if (usage === undefined) continue;
      const before = known.get(service_id);
      const { meters, samples } = sampleMachine(before === undefined ? {} : metersOf(before, node), usage, time);
      rows.push({ service_id, node, meters: machineMeters.encode(mapMeters(meters, toStoredMeter)) });
      await addMachineSamples(queries, service_id, samples);
    }
    await machineMetersPut(queries, rows);
  });
}

/** Another hypervisor has other counters. */
function metersOf({ node, meters }: MachineMeterTable, current: string): MachineMeters {
  return node === current ? mapMeters(machineMeters.decode(meters), fromStoredMeter) : {};
}

function mapMeters<From, To>(
  meters: Readonly<Partial<Record<keyof MachineMeters, From>>>,
  map: (meter: From) => To,
): Partial<Record<keyof MachineMeters, To>> {
  return Object.fromEntries(Object.entries(meters).map(([series, meter]) => [series, map(meter)]));
}
