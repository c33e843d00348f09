// Version 2, our additions: volumes of virtual machines.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import {
  maxVolumeGb,
  maxVolumes,
  maxVolumesGb,
  maxVolumesPerMachine,
  StartedVolume,
  Volume,
} from '../shapes/volume.ts';

const volumeEndpoint = { path: '/v2/machine/volume', tag: 'machine', addition: true } as const;
const changeEndpoint = { ...volumeEndpoint, access: 'device:write', effect: 'stored', cost: 5 } as const;
const errors = ['state_conflict', 'device_busy', 'capability_missing'] as const;
const SizeGb = p.Whole(1, maxVolumeGb);

export const machineVolumeV2 = {
  volumeList: endpoint({
    ...volumeEndpoint,
    method: 'GET',
    access: 'device:read',
    summary: 'List volumes',
    description: 'Lists volumes of all machines, or of one.',
    params: { service: p.optional(p.Id) },
    result: Type.Array(Volume),
  }),
  volumeCreate: endpoint({
    ...changeEndpoint,
    method: 'POST',
    summary: 'Create a volume and attach it to a machine',
    description: `An empty disk on the hypervisor of the machine, which can be on or off. \`size\` is in GB. A volume keeps its content when the machine is reinstalled, resized, restored or deleted. An account can have ${maxVolumes} volumes with ${maxVolumesGb} GB in total, a machine ${maxVolumesPerMachine}.`,
    params: { service: p.Id, name: p.Text({ max: 64 }), size: SizeGb },
    target: ['service', 'name'],
    result: StartedVolume,
    errors: [...errors, 'already_exists'],
  }),
  volumeResize: endpoint({
    ...changeEndpoint,
    method: 'PUT',
    summary: 'Grow a volume',
    description: 'A volume never shrinks. In a machine with its own kernel, grow the file system from inside.',
    params: { id: p.Id, size: SizeGb },
    target: ['id'],
    result: StartedVolume,
    errors,
  }),
  volumeDelete: endpoint({
    ...volumeEndpoint,
    method: 'DELETE',
    access: 'device:write',
    effect: 'stored',
    summary: 'Delete a volume with its content',
    description:
      'The volume must be detached, and `name` must be its name, so that a mistyped id deletes nothing. This cannot be undone.',
    params: { id: p.Id, name: p.Text({ max: 64 }) },
    target: ['id', 'name'],
    result: Type.Literal('Volume Deleted'),
    errors: ['state_conflict'],
  }),
  volumeAttach: endpoint({
    ...changeEndpoint,
    path: '/v2/machine/volume/attach',
    method: 'POST',
    summary: 'Attach a volume to a machine',
    description: 'The machine must be on the hypervisor that has the volume. It can be on or off.',
    params: { id: p.Id, service: p.Id },
    target: ['service', 'id'],
    result: StartedVolume,
    errors,
  }),
  volumeDetach: endpoint({
    ...changeEndpoint,
    path: '/v2/machine/volume/detach',
    method: 'POST',
    summary: 'Detach a volume from its machine',
    description:
      'Unmount it inside the machine first. If the running machine does not release it, the action fails and the volume stays attached.',
    params: { id: p.Id },
    target: ['id'],
    result: StartedVolume,
    errors,
  }),
} as const;
