// Operator API: devices, their restrictions and hardware.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { deviceOperations } from './device-operations.ts';
import { Discovery, OperatorDevice, OperatorDeviceDetail, Reclaim } from '../shapes/operator-service.ts';
import { OperatorSensorReport } from '../shapes/sensors.ts';
import { reclaimStepNames } from '../states/servers.ts';

const readEndpoint = { method: 'GET', tag: 'device', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'device', access: 'operator:equipment', effect: 'stored' } as const;

export const deviceOperator = {
  ...deviceOperations,
  deviceList: endpoint({
    ...readEndpoint,
    path: '/operator/device',
    command: 'device list',
    summary: 'List devices',
    description:
      'Lists servers or virtual machines (servers by default) with their customer and restrictions, ordered by name. Pass the last device as `after` for the next page.',
    params: {
      kind: p.optional(p.Choice('server', 'machine')),
      ...p.pageAfter(p.DeviceName),
    },
    result: Type.Array(OperatorDevice),
  }),
  deviceGet: endpoint({
    ...readEndpoint,
    path: '/operator/device/detail',
    command: 'device get',
    summary: 'Get a device with its history',
    description:
      'Customers, restrictions, current use, firmware and certificates, as recorded; the device is not contacted.',
    params: { device: p.DeviceName },
    result: OperatorDeviceDetail,
  }),
  deviceSensorsGet: endpoint({
    ...readEndpoint,
    path: '/operator/device/sensors',
    command: 'device sensors',
    summary: 'Get the sensors and event log of a server',
    description:
      'As last read, without contacting the server: readings, broken parts, and the newest entries of the event log that Hostyard has read, a hundred by default.',
    params: { server: p.ServerName, limit: p.optional(p.Whole(1, 500)) },
    result: OperatorSensorReport,
  }),
  deviceLock: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/device/lock',
    command: 'device lock',
    summary: 'Lock a device',
    description: 'Rejects customers’ commands; they see the reason.',
    params: { device: p.DeviceName, reason: p.Text() },
    target: ['device', 'reason'],
  }),
  deviceUnlock: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/device/lock',
    command: 'device unlock',
    summary: 'Unlock a device',
    description: 'Customers can control the device again.',
    params: { device: p.DeviceName },
    target: ['device'],
    errors: ['state_conflict'],
  }),
  deviceMaintenanceBegin: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/device/maintenance',
    command: 'device maintenance-on',
    summary: 'Start maintenance of a device',
    description: 'Notifies the customer and rejects their commands with the reason.',
    params: { device: p.DeviceName, reason: p.Text() },
    target: ['device', 'reason'],
  }),
  deviceMaintenanceEnd: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/device/maintenance',
    command: 'device maintenance-off',
    summary: 'End maintenance of a device',
    description: 'Notifies the customer, who can control the device again.',
    params: { device: p.DeviceName },
    target: ['device'],
    errors: ['state_conflict'],
  }),
  deviceDiscover: endpoint({
    method: 'POST',
    path: '/operator/device/discover',
    tag: 'device',
    access: 'operator:equipment',
    effect: 'equipment',
    command: 'device discover',
    summary: 'Scan the hardware of a server',
    description:
      'Reads the parts from the BMC and returns the differences from the stored ones. Unless `dryrun` is set, each category that the BMC reports replaces the stored one.',
    params: { server: p.ServerName, dryrun: p.optional(p.Flag) },
    target: ['server'],
    result: Discovery,
    errors: ['capability_missing', ...equipmentErrors.bmc],
  }),
  reclaimList: endpoint({
    ...readEndpoint,
    path: '/operator/reclaim',
    command: 'reclaim list',
    summary: 'List servers between customers',
    description:
      'Lists servers that are being erased and checked, and servers in quarantine with the reason. Pass the last server as `after` for the next page.',
    params: p.pageAfter(p.ServerName),
    result: Type.Array(Reclaim),
  }),
  reclaimRetry: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/reclaim/retry',
    command: 'reclaim retry',
    summary: 'Retry the failed step of a server in quarantine',
    description: 'Repeats only the failed step, then continues.',
    params: { server: p.ServerName },
    target: ['server'],
    errors: ['state_conflict'],
  }),
  reclaimSignOff: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/reclaim/signoff',
    command: 'reclaim sign-off',
    summary: 'Sign off the failed step of a server in quarantine',
    description:
      'Continues as if the step had succeeded. The certificate names the step, the operator and the reason, and both customers can read it.',
    params: { server: p.ServerName, step: p.Choice(...reclaimStepNames), reason: p.Text() },
    target: ['server', 'step', 'reason'],
    errors: ['state_conflict'],
  }),
} as const;
