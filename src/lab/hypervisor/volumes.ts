// The calls of a lab hypervisor about volumes.
import {
  amount,
  CallError,
  capacityOf,
  insufficientCapacity,
  machineOf,
  text,
  type Body,
  type Call,
  type HypervisorContext,
} from './call.ts';
import type { LabVolume } from './machine.ts';

/** The first `*` is the volume's id. */
export const volumeCalls: Readonly<Record<string, Call>> = {
  'GET /machines/*/volumes': {
    run({ volumes }, { machine }) {
      const attached = Object.entries(volumes).filter(([, volume]) => volume.machine === machine);
      return attached.map(([id, { sizeGb }]) => ({ id, sizeGb }));
    },
  },
  'PUT /volumes/*': change((hypervisor, id, body) => {
    machineOf(hypervisor, { machine: text(body, 'machine') });
    const sizeGb = amount(body, 'sizeGb');
    if (hypervisor.volumes[id] !== undefined) return;
    if (sizeGb > capacityOf(hypervisor).diskGb) throw insufficientCapacity();
    hypervisor.volumes[id] = { sizeGb };
  }),
  'PUT /volumes/*/size': change((hypervisor, id, body) => {
    const volume = volumeOf(hypervisor, id);
    const sizeGb = amount(body, 'sizeGb');
    if (sizeGb - volume.sizeGb > capacityOf(hypervisor).diskGb) throw insufficientCapacity();
    volume.sizeGb = Math.max(volume.sizeGb, sizeGb);
  }),
  'PUT /volumes/*/machine': change((hypervisor, id, body) => {
    const volume = volumeOf(hypervisor, id);
    const { name } = machineOf(hypervisor, { machine: text(body, 'machine') });
    if ((volume.machine ?? name) !== name) throw new CallError(409, 'state', 'Another machine has the volume.');
    volume.machine = name;
  }),
  'DELETE /volumes/*/machine': change((hypervisor, id) => {
    const volume = hypervisor.volumes[id];
    const owner = hypervisor.machines.get(volume?.machine ?? '');
    if (owner?.state.power === 'on' && hypervisor.malfunctions().keepsVolumes === true)
      throw new CallError(409, 'state', 'The machine has not released the volume.');
    delete volume?.machine;
  }),
  'DELETE /volumes/*': change((hypervisor, id) => {
    if (hypervisor.volumes[id]?.machine !== undefined) throw new CallError(409, 'state', 'A machine has the volume.');
    delete hypervisor.volumes[id];
  }),
};

/** The volumes of a machine that is removed stay. */
export function releaseVolumes({ volumes }: HypervisorContext, machine: string): void {
  for (const volume of Object.values(volumes)) if (volume.machine === machine) delete volume.machine;
}

function change(apply: (hypervisor: HypervisorContext, id: string, body: Body) => void): Call {
  return {
    step: 'volume',
    run(hypervisor, { machine: id }, body) {
      apply(hypervisor, id, body);
      hypervisor.save();
    },
  };
}

export function volumeOf({ volumes }: HypervisorContext, id: string): LabVolume {
  const volume = volumes[id];
  if (volume === undefined) throw new CallError(404, 'absent', 'No such volume.');
  return volume;
}
