// Calls of the operator API about migration, each of which changes something.
import { labHypervisorName } from '#lab/hypervisor/machines.ts';
import type { TestApp } from './app.ts';
import type { Example } from './examples.ts';
import { adoptMachines } from './machines.ts';
import { operatorResult } from './operators.ts';

type Maker = (app: TestApp) => Promise<{ readonly params: Example }> | { readonly params: Example };

const name = labHypervisorName;
let reasons = 0;
const node = () => ({ name, reason: `sweep ${++reasons}` });

async function endMaintenance(app: TestApp): Promise<void> {
  await operatorResult(app, 'PUT', 'node/maintenance', { name, enabled: false });
}

/** Returns a machine that exists and that no workflow is working on. Nothing runs jobs in a sweep, so they would stay pending forever. */
async function idleMachine({ parts, lab }: TestApp): Promise<string> {
  const { queries } = parts.store;
  await queries.updateTable('workflows').set({ ended_at: 1 }).where('ended_at', 'is', null).execute();
  await adoptMachines(parts.store, name);
  return `vm-${lab.vps.vmid}`;
}

let foreign = 0;
/** Creates a machine on the hypervisor that belongs to no service. */
async function foreignMachine({ parts }: TestApp): Promise<string> {
  const machine = `old${++foreign}`;
  const shape = { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:00:00:01', networks: [] };
  const network = { addresses: [], nameServers: [], sshKeys: [] };
  const system = { id: 'first', template: 'debian-12', hostname: machine, rootPassword: 'secret-enough', ...network };
  await parts.hypervisors.use(name, ({ machines }) =>
    machines.create(machine, shape, system, AbortSignal.timeout(60_000)),
  );
  return machine;
}

export const migrationMakers: Readonly<Record<string, Maker>> = {
  nodeMaintenance: () => ({ params: { ...node(), enabled: true } }),
  nodeEvacuate: async (app) => {
    await endMaintenance(app);
    return { params: node() };
  },
  nodeEvacuationGet: () => ({ params: { name } }),
  nodeEvacuationCancel: async (app) => {
    await endMaintenance(app);
    await operatorResult(app, 'POST', 'node/evacuate', node());
    return { params: { name } };
  },
  machineMigrate: async (app) => ({ params: { device: await idleMachine(app) } }),
  machineMigrateCancel: async (app) => {
    const device = await idleMachine(app);
    await operatorResult(app, 'POST', 'machine/migrate', { device });
    return { params: { device } };
  },
  nodeMembers: () => ({ params: { name } }),
  nodeAdoptable: () => ({ params: { name } }),
  machineInspect: async (app) => ({ params: { node: name, machine: await foreignMachine(app) } }),
  machineAdopt: async (app) => {
    const machine = await foreignMachine(app);
    const service = { account: app.lab.customer.account, hostname: `${machine}.example.net`, plan: 'VPS small' };
    const netblock = `203.0.113.${200 + foreign}/32`;
    return { params: { node: name, machine, template: 'debian-12', ...service, netblock } };
  },
};
