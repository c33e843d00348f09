// The calls of a lab hypervisor about snapshots, the templates made from them, and the size of machines.
import { CallError, capacityOf, insufficientCapacity, machineOf, sizeOf, text, type Call } from './call.ts';
import { bytesPerGb, usedShares } from './load.ts';
import type { LabShape, LabSnapshot, LabVirtualMachine } from './machine.ts';

/** The second `*` is the snapshot's id; the `*` of a template is its name. */
export const snapshotCalls: Readonly<Record<string, Call>> = {
  'GET /machines/*/snapshots': {
    run: (hypervisor, names) =>
      Object.entries(machineOf(hypervisor, names).state.snapshots ?? {}).map(([id, snapshot]) => infoOf(id, snapshot)),
  },
  'PUT /machines/*/snapshots/*': {
    step: 'snapshot',
    run(hypervisor, { machine, system: id }) {
      const { state, system } = machineOf(hypervisor, { machine });
      const snapshots = (state.snapshots ??= {});
      if (snapshots[id] === undefined && capacityOf(hypervisor).diskGb < usedGb(state.shape))
        throw insufficientCapacity();
      const isConsistent = state.power === 'off' || hypervisor.malfunctions().hasNoAgent !== true;
      const snapshot = (snapshots[id] ??= { system: { ...system() }, isConsistent, sizeGb: usedGb(state.shape) });
      hypervisor.save();
      return infoOf(id, snapshot);
    },
  },
  'POST /machines/*/snapshots/*': {
    step: 'restore',
    run(hypervisor, names, body) {
      const machine = machineOf(hypervisor, names);
      const id = text(body, 'system');
      const { system } = snapshotOf(machine, names.system);
      if (machine.state.systems[id] === undefined && capacityOf(hypervisor).diskGb < usedGb(machine.state.shape))
        throw insufficientCapacity();
      machine.state.systems[id] ??= { ...system };
      hypervisor.save();
    },
  },
  'DELETE /machines/*/snapshots/*': {
    step: 'snapshot',
    run(hypervisor, { machine, system: id }) {
      delete hypervisor.machines.get(machine)?.state.snapshots?.[id];
      hypervisor.save();
    },
  },
  'PUT /templates/*': {
    step: 'template',
    run(hypervisor, { machine: name }, body) {
      const machine = machineOf(hypervisor, { machine: text(body, 'machine') });
      const { system, sizeGb } = snapshotOf(machine, text(body, 'snapshot'));
      if (capacityOf(hypervisor).diskGb < sizeGb) throw insufficientCapacity();
      const { template, content } = system;
      hypervisor.images[name] = { template, sizeGb, ...(content !== undefined && { content }) };
      hypervisor.save();
      return { sizeBytes: sizeGb * bytesPerGb };
    },
  },
  'DELETE /templates/*': {
    step: 'template',
    run(hypervisor, { machine: name }) {
      delete hypervisor.images[name];
      hypervisor.save();
    },
  },
  'PUT /machines/*/size': {
    step: 'resize',
    run(hypervisor, names, body) {
      const machine = machineOf(hypervisor, names);
      if (machine.state.power === 'on') throw new CallError(409, 'state', 'The machine is powered on.');
      const { shape } = machine.state;
      const size = sizeOf(body);
      const capacity = capacityOf(hypervisor);
      if (size.memoryMb - shape.memoryMb > capacity.memoryMb || size.diskGb - shape.diskGb > capacity.diskGb)
        throw insufficientCapacity();
      machine.state.shape = { ...shape, ...size, diskGb: Math.max(shape.diskGb, size.diskGb) };
      machine.refresh();
    },
  },
};

/** What a machine has written, which a snapshot occupies. */
function usedGb({ diskGb }: LabShape): number {
  return Math.ceil(diskGb * usedShares.disk);
}

function infoOf(id: string, { isConsistent, sizeGb }: LabSnapshot) {
  return { id, isConsistent, sizeBytes: sizeGb * bytesPerGb };
}

function snapshotOf({ state }: LabVirtualMachine, id: string): LabSnapshot {
  const snapshot = state.snapshots?.[id];
  if (snapshot === undefined) throw new CallError(404, 'absent', 'No such snapshot.');
  return snapshot;
}
