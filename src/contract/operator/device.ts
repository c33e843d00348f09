// The operator's side: devices, held back from customers and looked into.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { Discovery, OperatorDevice } from '../shapes/operator-service.ts';

const held = { tag: 'device', access: 'operator:equipment', effect: 'stored', addition: true } as const;

export const deviceOperator = {
  deviceList: endpoint({
    method: 'GET',
    path: '/operator/device',
    tag: 'device',
    access: 'operator:read',
    command: 'device list',
    addition: true,
    summary: 'Servers, or virtual machines, whose they are and whether they are held back',
    description: 'Servers unless told, in the order of their names. `after` is the last device of the page before.',
    params: {
      kind: p.optional(p.Choice('server', 'machine')),
      limit: p.optional(p.Whole(1, 1000)),
      after: p.optional(p.DeviceName),
    },
    result: Type.Array(OperatorDevice),
  }),
  deviceLock: endpoint({
    ...held,
    method: 'POST',
    path: '/operator/device/lock',
    command: 'device lock',
    summary: 'Refuse the commands of customers to a device; they are told the reason',
    params: { device: p.DeviceName, reason: p.Text() },
    result: Type.String(),
  }),
  deviceUnlock: endpoint({
    ...held,
    method: 'DELETE',
    path: '/operator/device/lock',
    command: 'device unlock',
    summary: 'Let customers command the device again',
    params: { device: p.DeviceName },
    result: Type.String(),
    errors: ['state_conflict'],
  }),
  deviceMaintenanceBegin: endpoint({
    ...held,
    method: 'POST',
    path: '/operator/device/maintenance',
    command: 'device maintenance-on',
    summary: 'Work on a device: its customer is told, and his commands are refused with the reason',
    params: { device: p.DeviceName, reason: p.Text() },
    result: Type.String(),
  }),
  deviceMaintenanceEnd: endpoint({
    ...held,
    method: 'DELETE',
    path: '/operator/device/maintenance',
    command: 'device maintenance-off',
    summary: 'Done: the customer is told and has his device again',
    params: { device: p.DeviceName },
    result: Type.String(),
    errors: ['state_conflict'],
  }),
  deviceDiscover: endpoint({
    method: 'POST',
    path: '/operator/device/discover',
    tag: 'device',
    access: 'operator:equipment',
    effect: 'equipment',
    command: 'device discover',
    addition: true,
    summary: 'Read the parts of a server from its controller; answers what differs from what is on record',
    description: 'What the controller tells takes the place of what is on record of that category, unless `dryrun`.',
    params: { server: p.ServerName, dryrun: p.optional(p.Flag) },
    result: Discovery,
    errors: ['capability_missing', ...equipmentErrors.bmc],
  }),
} as const;
