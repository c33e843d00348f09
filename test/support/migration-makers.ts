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
};
