// The worlds of the workflows on virtual machines, for the harness: a lab node, a store, and one machine that is there or is
// still to be made.
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { nodeSealContext, openNodes } from '#equipment/nodes.ts';
import { secretBox } from '#kernel/secrets.ts';
import { startLabNode, type LabNode } from '#lab/node/node.ts';
import { deviceLockFind } from '#store/devices/device-locks.ts';
import { machineChange, machineFind, machinePut } from '#store/devices/machines.ts';
import { nodePut } from '#store/devices/nodes.ts';
import { serviceFind, servicePut } from '#store/devices/services.ts';
import type { Store } from '#store/store.ts';
import { templatesPut } from '#store/devices/templates.ts';
import type { AccountId } from '#store/tables.ts';
import type { Scenario, World } from '#workflows/harness.ts';
import type { MachineDeps } from '#workflows/machine-command.ts';
import { machineCreate, type MachineCreateInput } from '#workflows/machine-create.ts';
import { machinePower, type MachinePowerInput } from '#workflows/machine-power.ts';
import { installSealContext, machineReinstall, type MachineReinstallInput } from '#workflows/machine-reinstall.ts';
import { addAccount } from './accounts.ts';
import { temporaryFolder } from './folder.ts';
import { openTestStore } from './store.ts';

const service = 2001;
const name = 'vm-101';
const nodeName = 'node1';
const instantly = { bootMs: 0, buildMs: 0, softOffMs: 0 };
const addresses = [{ address: '203.0.113.130', prefixLength: 24, gateway: '203.0.113.1' }];

export interface Ground extends AsyncDisposable {
  readonly store: Store;
  readonly account: AccountId;
  readonly service: number;
  readonly deps: MachineDeps;
  readonly node: LabNode;
}

/** A node without machines, and a machine that was ordered. */
async function startGround(): Promise<Ground> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('machine'));
  const store = await openTestStore({ dataFolder: folder.path, database: undefined });
  owned.defer(() => store.close());
  const { queries } = store;
  const account = await addAccount(store, 1);
  const node = owned.use(await startLabNode({ token: 'secret-enough', timing: instantly }));
  const secrets = secretBox(Buffer.alloc(32));
  const settings = JSON.stringify({ address: node.address, port: node.port, token: 'secret-enough' });
  await nodePut(queries, {
    name: nodeName,
    driver: 'lab',
    settings: secrets.seal(settings, nodeSealContext(nodeName)),
    name_servers: '["203.0.113.1"]',
  });
  const template = { name: 'Debian 12', value: 'debian-12', kind: 'Xen', source: 'debian-12', position: 0 } as const;
  await templatesPut(queries, [template]);
  await servicePut(queries, {
    id: service,
    account_id: account,
    type: 'vps',
    status: 'Pending',
    name: 'VPS',
    hostname: 'vps1.example.net',
    ip: '203.0.113.130',
    server: null,
    vmid: 101,
    created_at: 0,
  });
  const shape = { vcpus: 1, memory_mb: 1024, disk_gb: 20, bandwidth_gb: 1000, mac: '52:54:00:00:00:65' };
  const order = { service_id: service, account_id: account, vmid: 101, kind: 'Xen' } as const;
  await machinePut(queries, { ...order, ...shape, wanted_node: null, template: 'debian-12' });
  const clock = { now: Date.now };
  const nodes = openNodes({ store, clock, secrets, drivers: hypervisorDrivers });
  owned.defer(() => nodes.close());
  const jobs = { enqueue: async () => '' };
  const kept = owned.move();
  return {
    store,
    account,
    service,
    deps: { store, clock, jobs, nodes, secrets },
    node,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export async function startMachine(): Promise<Ground> {
  const ground = await startGround();
  const { queries } = ground.store;
  const shape = { vcpus: 1, memoryMb: 1024, diskGb: 20, mac: '52:54:00:00:00:65' };
  const old = { id: 'old', template: 'debian-12', hostname: 'vps1.example.net', rootPassword: 'old-secret' };
  const first = { ...old, addresses, nameServers: [] };
  const patience = AbortSignal.timeout(60_000);
  await ground.deps.nodes.use(nodeName, async (hypervisor) => {
    await hypervisor.machines.create(name, shape, first, patience);
    await hypervisor.power.set(name, 'on', patience);
  });
  await machineChange(queries, service, { state: 'ready', node: nodeName });
  return ground;
}

/** All of it as the node sees it, without names that were drawn. */
export async function lookAtMachine({ store, account, node, deps }: Ground) {
  const machine = node.machines.get(name);
  const { state, template, node: placed } = (await machineFind(store.queries, service))!;
  return {
    power: machine?.state.power,
    system: machine?.state.current === 'old' ? 'old' : machine && 'new',
    systems: machine === undefined ? 0 : Object.values(machine.state.systems).filter(({ isWhole }) => isWhole).length,
    row: { state, template, placed },
    status: (await serviceFind(store.queries, account, service))?.status,
    locked: (await deviceLockFind(store.queries, name, deps.clock.now())) !== undefined,
  };
}

const target = { service, node: nodeName, name };

async function makeReinstall(): Promise<World<MachineDeps, MachineReinstallInput>> {
  const ground = await startMachine();
  const sealed = ground.deps.secrets.seal('new-secret', installSealContext(service));
  await machineChange(ground.store.queries, service, { install_secret: sealed });
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
    look: () => lookAtMachine(ground),
  };
}

async function makePower(): Promise<World<MachineDeps, MachinePowerInput>> {
  const ground = await startMachine();
  const input = { ...target, purpose: 'power cycle', action: 'cycle', graceMs: 1000 } as const;
  return { ...ground, input, look: () => lookAtMachine(ground) };
}

async function makeOrder(): Promise<World<MachineDeps, MachineCreateInput>> {
  const ground = await startGround();
  return {
    ...ground,
    input: { service, name, hostname: 'vps1.example.net', addresses },
    look: () => lookAtMachine(ground),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of world
export const machineScenarios: readonly Scenario<any, any>[] = [
  { workflow: machineCreate, makeWorld: makeOrder },
  { workflow: machinePower, makeWorld: makePower },
  { workflow: machineReinstall, makeWorld: makeReinstall },
];
