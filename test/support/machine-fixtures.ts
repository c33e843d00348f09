// Fixtures for workflows on virtual machines, for the harness: a lab hypervisor, a store, and one machine that exists
// or is ordered.
import assert from 'node:assert/strict';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { nodeSealContext, openHypervisors } from '#equipment/hypervisors.ts';
import { createLog } from '#lib/log.ts';
import { secretBox } from '#lib/secrets.ts';
import { startLabHypervisor, type LabHypervisor } from '#lab/hypervisor/hypervisor.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineChange, machineFind, machinePut } from '#store/devices/machines.ts';
import { hypervisorPut } from '#store/devices/hypervisors.ts';
import { serviceFind } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import { templatesPut } from '#store/devices/templates.ts';
import { volumeInsert, volumeList } from '#store/devices/volumes.ts';
import { openLeaseFeed } from '#store/work/leases.ts';
import type { Scenario, Fixture } from '#workflows/engine/harness.ts';
import type { MachineDeps } from '#workflows/device-steps.ts';
import { sealInstallData } from '#workflows/machine/install-data.ts';
import { machineCreate, type MachineCreateInput } from '#workflows/machine/machine-create.ts';
import { machinePower, type MachinePowerInput } from '#workflows/machine/machine-power.ts';
import {
  installSealContext,
  machineReinstall,
  type MachineReinstallInput,
} from '#workflows/machine/machine-reinstall.ts';
import { machineVolume, type MachineVolumeInput } from '#workflows/machine/machine-volume.ts';
import { addAccount, addService } from './accounts.ts';
import { openOwnedStore } from './store.ts';
import type { AccountId } from '#store/account-id.ts';
import { withResources } from './resources.ts';

const service = 2001;
const name = 'vm-101';
const nodeName = 'node1';
const instantly = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBf1Q0kY8gJv5yq0d3oQm6w2nJ8T0c3WmRr4s5uV7xYz';
const addresses = [{ address: '203.0.113.130', prefixLength: 24, gateway: '203.0.113.1' }];

export interface MachineFixture extends AsyncDisposable {
  readonly store: Store;
  readonly account: AccountId;
  readonly service: number;
  readonly deps: MachineDeps;
  readonly node: LabHypervisor;
}

/** A hypervisor without machines, and an ordered machine. */
export async function startGround(): Promise<MachineFixture> {
  await using owned = new AsyncDisposableStack();
  const store = await openOwnedStore(owned, 'machine');
  const { queries } = store;
  const account = await addAccount(store, 1);
  const node = owned.use(await startLabHypervisor({ token: 'secret-enough', timing: instantly }));
  const secrets = secretBox(Buffer.alloc(32));
  const settings = JSON.stringify({ address: node.address, port: node.port, token: 'secret-enough' });
  await hypervisorPut(queries, {
    name: nodeName,
    driver: 'lab',
    settings: secrets.seal(settings, nodeSealContext(nodeName)),
    name_servers: '["203.0.113.1"]',
  });
  const template = { name: 'Debian 12', value: 'debian-12', kind: 'Xen', source: 'debian-12', position: 0 } as const;
  await templatesPut(queries, [template]);
  const names = { name: 'VPS', hostname: 'vps1.example.net', ip: '203.0.113.130' };
  await addService(store, account, service, { type: 'vps', status: 'Pending', vmid: 101, ...names });
  const shape = { vcpus: 1, memory_mb: 1024, disk_gb: 20, bandwidth_gb: 1000, mac: '52:54:00:00:00:65' };
  const order = { service_id: service, account_id: account, vmid: 101, kind: 'Xen' } as const;
  await machinePut(queries, { ...order, ...shape, wanted_node: null, template: 'debian-12' });
  const clock = { now: Date.now };
  const nodes = openHypervisors({ store, clock, secrets, drivers: hypervisorDrivers });
  owned.defer(() => nodes.close());
  const leaseFeed = openLeaseFeed({ store, clock, log: createLog('silent') });
  owned.defer(() => leaseFeed.close());
  const queue = { enqueue: async () => '' };
  return withResources(owned, {
    store,
    account,
    service,
    deps: { store, clock, queue, hypervisors: nodes, secrets, leaseFeed },
    node,
  });
}

export async function startMachine(): Promise<MachineFixture> {
  const ground = await startGround();
  const { queries } = ground.store;
  const shape = { vcpus: 1, memoryMb: 1024, diskGb: 20, mac: '52:54:00:00:00:65', networks: [] };
  const old = { id: 'old', template: 'debian-12', hostname: 'vps1.example.net', rootPassword: 'old-secret' };
  const first = { ...old, addresses, nameServers: [], sshKeys: [] };
  const patience = AbortSignal.timeout(60_000);
  await ground.deps.hypervisors.use(nodeName, async (hypervisor) => {
    await hypervisor.machines.create(name, shape, first, patience);
    await hypervisor.power.set(name, 'on', patience);
  });
  await machineChange(queries, service, { state: 'ready', node: nodeName });
  return ground;
}

/** The hypervisor's view of everything, without random names. */
export async function inspectMachine({ store, account, node, deps }: MachineFixture) {
  const machine = node.machines.get(name);
  const { state, template, node: placed } = (await machineFind(store.queries, service))!;
  return {
    power: machine?.state.power,
    system: machine?.state.current === 'old' ? 'old' : machine && 'new',
    sshKeys: machine?.system().sshKeys,
    systems: machine === undefined ? 0 : Object.values(machine.state.systems).filter(({ isWhole }) => isWhole).length,
    row: { state, template, placed },
    status: (await serviceFind(store.queries, account, service))?.status,
    locked: (await deviceLockFind(store.queries, name, deps.clock.now())) !== undefined,
  };
}

const target = { service, node: nodeName, name };

const makeReinstall = async () => reinstallOn(await startMachine());

export async function reinstallOn(ground: MachineFixture): Promise<Fixture<MachineDeps, MachineReinstallInput>> {
  const sealed = ground.deps.secrets.seal('new-secret', installSealContext(service));
  const install_data = sealInstallData(ground.deps.secrets, service, { sshKeys: [sshKey] });
  await machineChange(ground.store.queries, service, { install_secret: sealed, install_data });
  return {
    ...ground,
    input: {
      ...target,
      purpose: 'reinstall',
      template: 'debian-12',
      source: 'debian-12',
      hostname: 'vps1.example.net',
      addresses,
      nameServers: [],
      graceMs: 1000,
    },
    observe: () => inspectMachine(ground),
  };
}

async function makePower(): Promise<Fixture<MachineDeps, MachinePowerInput>> {
  const ground = await startMachine();
  const input = { ...target, purpose: 'power cycle', action: 'cycle', graceMs: 1000 } as const;
  return { ...ground, input, observe: () => inspectMachine(ground) };
}

export async function makeOrder(): Promise<Fixture<MachineDeps, MachineCreateInput>> {
  return orderOn(await startGround());
}

export async function orderOn(ground: MachineFixture): Promise<Fixture<MachineDeps, MachineCreateInput>> {
  const install_data = sealInstallData(ground.deps.secrets, service, { sshKeys: [sshKey] });
  await machineChange(ground.store.queries, service, { install_data });
  return {
    ...ground,
    input: { service, name, hostname: 'vps1.example.net', addresses },
    observe: () => inspectMachine(ground),
  };
}

async function makeVolume(): Promise<Fixture<MachineDeps, MachineVolumeInput>> {
  const ground = await startMachine();
  const { queries } = ground.store;
  const owner = { account_id: ground.account, service_id: service, node: nodeName };
  const created = { name: 'data', size_gb: 10, state: 'Creating', is_attached: 0, created_at: 0 } as const;
  const { id: volume } = (await volumeInsert(queries, { ...owner, ...created }))!;
  const change = { action: 'create', volume, label: 'data', sizeGb: 10, isAttached: false } as const;
  return {
    ...ground,
    input: { ...target, ...change, purpose: 'a change of a volume', formerService: service },
    observe: async () => ({
      ...(await inspectMachine(ground)),
      volumes: structuredClone(ground.node.volumes),
      rows: (await volumeList(queries, ground.account)).map(({ state, is_attached }) => ({ state, is_attached })),
    }),
  };
}

/** Neither the volume nor its row is left. */
export function assertNoVolume(observed: unknown): void {
  const { volumes, rows, locked } = observed as { volumes: object; rows: unknown[]; locked: boolean };
  assert.deepEqual({ volumes, rows, locked }, { volumes: {}, rows: [], locked: false });
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of fixture
export const machineScenarios: readonly Scenario<any, any>[] = [
  { workflow: machineCreate, makeFixture: makeOrder },
  { workflow: machinePower, makeFixture: makePower },
  { workflow: machineReinstall, makeFixture: makeReinstall },
  { workflow: machineVolume, makeFixture: makeVolume, assertFailed: assertNoVolume },
];
