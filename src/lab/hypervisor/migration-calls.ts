// The calls of a lab hypervisor's control protocol for migration. The client reads a machine's state from one hypervisor and
// gives it to the other, which takes as long as a build to copy the disks.
import { capacityOf, insufficientCapacity, machineOf, type Call, type HypervisorContext } from './call.ts';
import type { LabMachineState } from './machine.ts';

/** When each copy began, by the name of the machine. */
const copies = new WeakMap<HypervisorContext, Map<string, number>>();

export const migrationCalls: Readonly<Record<string, Call>> = {
  'GET /machines/*/state': { run: (hypervisor, names) => machineOf(hypervisor, names).state },
  'GET /machines/*/files': {
    run: (hypervisor, { machine: name }) => ({
      exist: hypervisor.machines.has(name) || hypervisor.malfunctions().hasFilesOf === name,
    }),
  },
  'PUT /machines/*/copy': {
    step: 'copy',
    run(hypervisor, { machine: name }, body) {
      if (hypervisor.machines.has(name)) return { share: 1 };
      const state = structuredClone(body['state']) as LabMachineState;
      const capacity = capacityOf(hypervisor);
      if (state.shape.memoryMb > capacity.memoryMb || state.shape.diskGb > capacity.diskGb)
        throw insufficientCapacity();
      const begun = copies.get(hypervisor) ?? new Map<string, number>();
      copies.set(hypervisor, begun);
      const startedAt = begun.get(name) ?? hypervisor.now();
      begun.set(name, startedAt);
      const { buildMs = hypervisor.buildMs } = hypervisor.malfunctions();
      const passedMs = hypervisor.now() - startedAt;
      if (passedMs < buildMs) return { share: passedMs / buildMs };
      begun.delete(name);
      hypervisor.add(name, { ...state, power: 'off' });
      for (const { id, sizeGb } of body['volumes'] as { id: string; sizeGb: number }[])
        hypervisor.volumes[id] = { sizeGb, machine: name };
      hypervisor.save();
      return { share: 1 };
    },
  },
};
