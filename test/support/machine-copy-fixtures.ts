// Fixtures for workflows that copy a machine's disk or change its size: the machine of the other fixtures, with one snapshot.
import { machineImageInsert, machineImageList } from '#store/devices/machine-images.ts';
import {
  machineSnapshotChange,
  machineSnapshotInsert,
  machineSnapshotList,
  snapshotName,
} from '#store/devices/machine-snapshots.ts';
import { machineFind } from '#store/devices/machines.ts';
import type { MachineDeps } from '#workflows/device-steps.ts';
import type { Fixture, Scenario } from '#workflows/engine/harness.ts';
import { machineImage, type MachineImageInput } from '#workflows/machine/machine-image.ts';
import { machineResize, type MachineResizeInput, type ResizeDeps } from '#workflows/machine/machine-resize.ts';
import { machineRestore, type MachineRestoreInput } from '#workflows/machine/machine-restore.ts';
import { machineSnapshot, type MachineSnapshotInput } from '#workflows/machine/machine-snapshot.ts';
import { inspectMachine, startMachine, type MachineFixture } from './machine-fixtures.ts';

const name = 'vm-101';
const node = 'node1';
const owner = ({ account, service }: MachineFixture) => ({ account_id: account, service_id: service });
const target = ({ service }: MachineFixture, purpose: string) => ({ service, node, name, purpose });

async function inspectCopies(ground: MachineFixture) {
  const { node: lab, store, account, service } = ground;
  const { queries } = store;
  const { vcpus, memoryMb, diskGb } = lab.machines.get(name)!.state.shape;
  const { vcpus: cpus, memory_mb, disk_gb } = (await machineFind(queries, service))!;
  return {
    ...(await inspectMachine(ground)),
    content: lab.machines.get(name)!.system().content,
    snapshots: Object.keys(lab.machines.get(name)!.state.snapshots ?? {}),
    images: Object.keys(lab.images),
    size: [vcpus, memoryMb, diskGb],
    ordered: [cpus, memory_mb, disk_gb],
    /** A failed copy stays listed as failed, so states are compared only for what exists. */
    ready: [...(await machineSnapshotList(queries, service)), ...(await machineImageList(queries, account))]
      .filter(({ state }) => state === 'ready')
      .map(({ name: label }) => label),
  };
}

async function addSnapshot(ground: MachineFixture, label: string): Promise<number> {
  const row = { ...owner(ground), name: label, template: 'debian-12', created_at: 0 };
  return (await machineSnapshotInsert(ground.store.queries, row)).id;
}

async function makeSnapshot(): Promise<Fixture<MachineDeps, MachineSnapshotInput>> {
  const ground = await startMachine();
  const input = { ...target(ground, 'a snapshot'), snapshot: await addSnapshot(ground, 'one'), label: 'one' };
  return { ...ground, input, observe: () => inspectCopies(ground) };
}

/** A machine that has changed since its snapshot was taken. */
async function startChangedMachine(): Promise<MachineFixture & { readonly snapshot: number }> {
  const ground = await startMachine();
  const snapshot = await addSnapshot(ground, 'one');
  const own = ground.node.machines.get(name)!;
  own.system().content = 'before';
  await ground.deps.hypervisors.use(node, ({ snapshots }) =>
    snapshots!.create(name, snapshotName(snapshot), AbortSignal.timeout(60_000)),
  );
  await machineSnapshotChange(ground.store.queries, snapshot, { state: 'ready' });
  own.system().content = 'after';
  return { ...ground, snapshot };
}

async function makeRestore(): Promise<Fixture<MachineDeps, MachineRestoreInput>> {
  const ground = await startChangedMachine();
  const { snapshot } = ground;
  const place = target(ground, 'the restoration of a snapshot');
  const input = { ...place, snapshot, label: 'one', template: 'debian-12', graceMs: 1000 };
  return { ...ground, input, observe: () => inspectCopies(ground) };
}

/** From the current disk, which has more steps. */
async function makeImage(): Promise<Fixture<MachineDeps, MachineImageInput>> {
  const ground = await startMachine();
  const copy = { name: 'golden', template: 'debian-12', kind: 'Xen', node, disk_gb: 20, created_at: 0 } as const;
  const { id: image } = await machineImageInsert(ground.store.queries, { ...owner(ground), ...copy });
  const input = { ...target(ground, 'the creation of an image'), image, label: 'golden', snapshot: null };
  return { ...ground, input, observe: () => inspectCopies(ground) };
}

async function makeResize(): Promise<Fixture<ResizeDeps, MachineResizeInput>> {
  const ground = await startMachine();
  let plan = 'Small';
  const machinePlans = {
    change: async (_queries: unknown, _service: number, terms: { readonly plan?: unknown }) => {
      plan = String(terms.plan);
    },
  };
  const input = {
    ...target(ground, 'a resize'),
    from: { vcpus: 1, memoryMb: 1024, diskGb: 20 },
    // The disk is the same, because it never shrinks again.
    to: { vcpus: 2, memoryMb: 2048, diskGb: 20 },
    bandwidthGb: 1000,
    plan: 'Large',
    previousPlan: 'Small',
    terms: { plan: 'Large' },
    graceMs: 1000,
  };
  const deps = { ...ground.deps, machinePlans };
  return { ...ground, deps, input, observe: async () => ({ ...(await inspectCopies(ground)), plan }) };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const machineCopyScenarios: readonly Scenario<any, any>[] = [
  { workflow: machineSnapshot, makeFixture: makeSnapshot },
  { workflow: machineRestore, makeFixture: makeRestore },
  { workflow: machineImage, makeFixture: makeImage },
  { workflow: machineResize, makeFixture: makeResize },
];
