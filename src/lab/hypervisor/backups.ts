// The calls of a lab hypervisor about the content of its machines and volumes, for backups. The content of a system is its settings,
// and as much filling as the hypervisor was started with, which the driver makes; that of a volume is a text.
import { amount, CallError, capacityOf, insufficientCapacity, machineOf, record, text, type Call } from './call.ts';
import type { LabSystem } from './machine.ts';
import { volumeOf } from './volumes.ts';

const imageGb = 1;

/** The second `*` is the snapshot's id, or the id of the system to build; the first `*` can also be a volume or a template. */
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
  'PUT /templates/*/content': {
    step: 'restore',
    run(hypervisor, { machine: name }, body) {
      if (capacityOf(hypervisor).diskGb < imageGb) throw insufficientCapacity();
      const { template, content } = record(body['system']) as unknown as LabSystem;
      hypervisor.images[name] = { template, sizeGb: imageGb, ...(content !== undefined && { content }) };
      hypervisor.save();
    },
  },
  'PUT /volumes/*/copies/*': {
    step: 'snapshot',
    run(hypervisor, { machine: volume, system: id }) {
      const { content = '', machine = '', ...stored } = volumeOf(hypervisor, volume);
      const isOff = hypervisor.machines.get(machine)?.state.power !== 'on';
      hypervisor.volumes[volume]!.copies = { [id]: content, ...stored.copies };
      hypervisor.save();
      return { isConsistent: isOff || hypervisor.malfunctions().hasNoAgent !== true };
    },
  },
  'GET /volumes/*/copies/*': {
    run(hypervisor, { machine: volume, system: id }) {
      const content = volumeOf(hypervisor, volume).copies?.[id];
      if (content === undefined) throw new CallError(404, 'absent', 'No such copy.');
      return { content };
    },
  },
  'DELETE /volumes/*/copies/*': {
    step: 'snapshot',
    run(hypervisor, { machine: volume, system: id }) {
      delete hypervisor.volumes[volume]?.copies?.[id];
      hypervisor.save();
    },
  },
  'PUT /volumes/*/content': {
    step: 'restore',
    run(hypervisor, { machine: id }, body) {
      machineOf(hypervisor, { machine: text(body, 'machine') });
      const sizeGb = amount(body, 'sizeGb');
      if (hypervisor.volumes[id]?.machine !== undefined) throw new CallError(409, 'state', 'A machine has the volume.');
      if (sizeGb > capacityOf(hypervisor).diskGb) throw insufficientCapacity();
      hypervisor.volumes[id] = { sizeGb, content: body['content'] === '' ? '' : text(body, 'content') };
      hypervisor.save();
    },
  },
};
