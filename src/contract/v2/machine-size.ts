// Version 2, our additions: the size of virtual machines, which follows their plan.
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { MachineSizes, StartedResize } from '../shapes/machine-snapshot.ts';

const sizeEndpoint = { tag: 'machine', addition: true, cost: 5 } as const;

export const machineSizeV2 = {
  machineSizeGet: endpoint({
    ...sizeEndpoint,
    method: 'GET',
    path: '/v2/machine/size/{service}',
    access: 'device:read',
    summary: 'Get the sizes that a machine can change to',
    description: 'The plans that it can change to, with their sizes, and whether a running machine has to restart.',
    params: { service: p.Id },
    result: MachineSizes,
    errors: ['capability_missing', 'state_conflict'],
  }),
  machineSizeSet: endpoint({
    ...sizeEndpoint,
    method: 'PUT',
    path: '/v2/machine/size',
    access: 'device:write',
    effect: 'stored',
    summary: 'Change the size of a machine',
    description:
      'Changes processors, memory and disk to those of another plan, and then the price. A disk never shrinks. If necessary, a running machine is shut down and started again; if it does not come back, it returns to its old size, and the price stays.',
    params: { service: p.Id, plan: p.PlanName },
    target: ['service', 'plan'],
    result: StartedResize,
    errors: ['state_conflict', 'device_busy', 'capability_missing', 'not_in_catalogue'],
  }),
} as const;
