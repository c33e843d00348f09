// Reads what every virtual machine uses, with one call per hypervisor, and turns it into five-minute samples. A hypervisor that does
// not respond leaves a gap, never zeros or a peak.
import type { MachineUsage } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { hasNewMarks, meterMemory, type MeterForm, type MeterMemory } from '#equipment/device-meters.ts';
import type { Hypervisors } from '#equipment/hypervisors.ts';
import { memberSamples, mergeMachineBlocks, sampleMachine, type MachineMeters } from '#equipment/machine-samples.ts';
import { fromStoredMeter, toStoredMeter } from '#equipment/traffic.ts';
import { pickDefined } from '#lib/defined.ts';
import { pauseWork } from '#lib/slices.ts';
import { hypervisorSampleSet, hypervisorsToSample, type HypervisorRow } from '#store/devices/hypervisors.ts';
import { machineName, machinesOfHypervisor } from '#store/devices/machines.ts';
import { batches } from '#store/engine/rows.ts';
import {
  hypervisorMeters,
  machineMeters,
  machineMetersOf,
  machineNodesPut,
  type StoredMachineMeters,
} from '#store/network/machine-samples.ts';
import type { MachineMeterTable } from '#store/network/tables.ts';
import type { CounterReading } from '#traffic/meter.ts';
import type { MemberSample } from '#traffic/sample-block.ts';
import { nextPollAt, pollingReconciler } from './poll.ts';
import { failureLog, type FailureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

export interface MachineSamplesParts extends ReconcilerParts {
  readonly hypervisors: Hypervisors;
}

/** A reading costs as much as its machines, so a hypervisor with hundreds of them is read less often, but twice in a sample. */
const intervalMs = { shortest: 60_000, perMachine: 120, longest: 120_000 };
/** Hypervisors are not read in step: what they report about thousands of machines would be in memory at once. */
const spreadShare = 1 / 4;
const machinesPerPage = 1000;
const machinesPerSlice = 250;

export function machineSampling(parts: MachineSamplesParts): Reconciler {
  const failures = failureLog(parts.log, 'could not sample a hypervisor');
  const memory = meterMemory('machine', machineForm);
  return pollingReconciler(
    'machine-samples',
    (limit) => hypervisorsToSample(parts.store.queries, parts.clock.now(), limit),
    (node, signal) => sampleHypervisor(parts, memory, failures, node, signal),
  );
}

/** machine-sync.ts reports a hypervisor that does not respond. */
async function sampleHypervisor(
  parts: MachineSamplesParts,
  memory: MeterMemory<MachineMeters>,
  failures: FailureLog,
  { name, revision, next_sample_at, sampled_since }: HypervisorRow,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, hypervisors } = parts;
  let nextAt = nextPollAt(clock.now(), next_sample_at, intervalMs.shortest);
  try {
    const atMs = clock.now();
    const since = sampled_since === 0 ? atMs : sampled_since;
    if (since !== sampled_since) await hypervisorSampleSet(store.queries, name, { sampled_since: since });
    const time = { atMs, upTimeTicks: Math.round((atMs - since) / 10) };
    const usages = await hypervisors.use(
      name,
      ({ statistics }, { pollMs }) => statistics.readAll(commandTimeout(signal, pollMs)),
      revision,
    );
    const everyMs = samplingMs(usages.size);
    nextAt = nextPollAt(atMs, next_sample_at, everyMs) + Math.round(Math.random() * everyMs * spreadShare);
    await readMeters(parts, memory, name, usages, time);
    failures.succeeded(name);
  } catch (error) {
    if (signal.aborted) return;
    failures.failed(name, error);
  }
  await hypervisorSampleSet(store.queries, name, { next_sample_at: nextAt });
}

function samplingMs(machineCount: number): number {
  const { shortest, perMachine, longest } = intervalMs;
  return Math.min(longest, Math.max(shortest, machineCount * perMachine));
}

async function readMeters(
  { store }: MachineSamplesParts,
  memory: MeterMemory<MachineMeters>,
  node: string,
  usages: ReadonlyMap<string, MachineUsage>,
  time: Pick<CounterReading, 'atMs' | 'upTimeTicks'>,
): Promise<void> {
  const known = await memory.load(store.queries, node);
  const meters = memory.collect();
  const samples: MemberSample[] = [];
  const added: MachineMeterTable[] = [];
  let mustStore = false;
  for await (const page of machinesOfHypervisor(store.queries, node, machinesPerPage)) {
    // Machines of terminated services are about to be deleted, and their history has ended.
    const machines = page.filter(({ untidy }) => untidy < 2);
    const unknown = machines.map(({ service_id }) => service_id).filter((service) => !known.byMember.has(service));
    const former = await machineMetersOf(store.queries, unknown);
    for (const slice of batches(machines, machinesPerSlice)) {
      for (const { service_id: service, vmid } of slice) {
        const before = known.byMember.get(service) ?? formerMeters(former.get(service), node);
        const usage = usages.get(machineName(vmid));
        const result = usage === undefined ? undefined : sampleMachine(before, usage, time);
        meters.set(service, result?.meters ?? before);
        const isMarked = Object.entries(result?.meters ?? {}).some(([series, meter]) =>
          hasNewMarks(before[series as keyof MachineMeters], meter),
        );
        mustStore ||= isMarked;
        if (result !== undefined) samples.push(...memberSamples(service, result.samples));
      }
      await pauseWork('outside a transaction');
    }
    added.push(...unknown.map((service_id) => former.get(service_id) ?? { service_id, node: '', meters: '{}' }));
  }
  await memory.keep(store, node, known.version, meters, {
    samples,
    added: added.map(({ service_id }) => service_id),
    mustStore,
    async onAdd(queries) {
      const moved = added.filter((machine) => machine.node !== node);
      for (const { service_id } of moved) await mergeMachineBlocks(queries, service_id);
      await machineNodesPut(
        queries,
        added.map(({ service_id }) => service_id),
        node,
      );
    },
  });
}

/** Returns meters of a release that stored them by machine. Another hypervisor has other counters. */
function formerMeters(former: MachineMeterTable | undefined, node: string): MachineMeters {
  return former?.node === node ? fromStored(machineMeters.decode(former.meters)) : {};
}

const machineForm: MeterForm<MachineMeters, StoredMachineMeters> = {
  column: hypervisorMeters,
  encode: toStored,
  decode: fromStored,
  series: 3,
  split: ({ network, disk, cpu }) => [network, disk, cpu],
  join: ([network, disk, cpu]) => pickDefined({ network, disk, cpu }),
};

function toStored(meters: MachineMeters): StoredMachineMeters {
  return mapMeters(meters, toStoredMeter);
}

function fromStored(meters: StoredMachineMeters): MachineMeters {
  return mapMeters(meters, fromStoredMeter);
}

function mapMeters<From, To>(
  meters: Readonly<Partial<Record<keyof MachineMeters, From>>>,
  map: (meter: From) => To,
): Partial<Record<keyof MachineMeters, To>> {
  return Object.fromEntries(Object.entries(meters).map(([series, meter]) => [series, map(meter)]));
}
