// The calls of a lab hypervisor about the content of its machines, for backups. The content of a system is its settings, and as
// much filling as the hypervisor was started with, which the driver makes.
import { CallError, capacityOf, insufficientCapacity, machineOf, type Call } from './call.ts';
import type { LabSystem } from './machine.ts';

/** The second `*` is the snapshot's id, or the id of the system to build. */
export const backupCalls: Readonly<Record<string, Call>> = {
  'GET /machines/*/content/*': {
    run(hypervisor, { machine, system: id }) {
      const snapshot = machineOf(hypervisor, { machine }).state.snapshots?.[id];
      if (snapshot === undefined) throw new CallError(404, 'absent', 'No such snapshot.');
      return { system: snapshot.system, fillMb: hypervisor.fillMb };
    },
  },
  'PUT /machines/*/content/*': {
    step: 'restore',
    run(hypervisor, names, body) {
      const { state } = machineOf(hypervisor, names);
      if (state.current === names.system) throw new CallError(409, 'state', 'The machine boots this system.');
      if (state.shape.diskGb > capacityOf(hypervisor).diskGb) throw insufficientCapacity();
      state.systems[names.system] = { ...(body['system'] as LabSystem), isWhole: true };
      hypervisor.save();
    },
  },
};
