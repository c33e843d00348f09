// Version 2, our additions: images that accounts make from their virtual machines.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { defaultImages, MachineImage, StartedImage } from '../shapes/machine-snapshot.ts';

const imageEndpoint = { path: '/v2/machine/image', tag: 'machine', addition: true } as const;
const writeEndpoint = { ...imageEndpoint, access: 'device:write', effect: 'stored', cost: 5 } as const;

export const machineImageV2 = {
  machineImageList: endpoint({
    ...imageEndpoint,
    method: 'GET',
    access: 'device:read',
    summary: 'List the images of the account',
    description: 'If you are limited to certain servers, lists only images that were made from them.',
    result: Type.Array(MachineImage),
  }),
  machineImageCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    summary: 'Make an image from a machine',
    description: `From one of its snapshots or from its current disk. You can reinstall machines with the image and create new ones from it, on the same hypervisor. An account can have ${defaultImages} images, or as many as the provider allows. Images stay when the machine is deleted.`,
    params: { service: p.Id, name: p.Text({ max: 64 }), snapshot: p.optional(p.Id) },
    target: ['service', 'name'],
    result: StartedImage,
    errors: ['state_conflict', 'device_busy', 'capability_missing'],
  }),
  machineImageDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    summary: 'Delete an image',
    description: 'This cannot be undone. Machines that were installed with it stay as they are.',
    params: { id: p.Id },
    target: ['id'],
    result: Type.Literal('Image Deleted'),
    errors: ['state_conflict'],
  }),
} as const;
