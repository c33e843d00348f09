// Version 2, our addition: announced maintenance that affects services of the account.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Maintenance } from '../shapes/maintenance.ts';

export const maintenanceV2 = {
  maintenanceGet: endpoint({
    method: 'GET',
    path: '/v2/maintenance',
    tag: 'device',
    access: 'device:read',
    addition: true,
    summary: 'List announced maintenance that affects your services',
    description: 'Next one first. Ended, cancelled and completed maintenance stays listed for 30 days.',
    result: Type.Array(Maintenance),
  }),
} as const;
