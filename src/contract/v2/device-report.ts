// Version 2: the state and the usage of a device.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { Hardware, MachineStats, PortTraffic, serviceTypes, UsageSample } from '../shapes/device.ts';
import { InnerEnvelope } from '../shapes/network.ts';

/** A device is managed through its BMC or a hypervisor; callers need not know which. */
export const deviceErrors = [...new Set([...equipmentErrors.bmc, ...equipmentErrors.node])];

const readEndpoint = { method: 'GET', tag: 'device', access: 'device:read' } as const;

export const deviceReportV2 = {
  deviceStatsGet: endpoint({
    ...readEndpoint,
    path: '/v2/device/stats/{service}',
    summary: 'Get statistics',
    description:
      'For a dedicated server: its traffic, in the last 24 hours unless `start` and `stop` are given, at most 400 days. For a virtual machine: its current usage and its traffic this month, or with `start` or `stop` the average memory, the last disk usage and the traffic of that period.',
    cost: 5,
    history: true,
    params: { service: p.Id, start: p.optional(p.Timestamp), stop: p.optional(p.Timestamp) },
    result: Type.Union([MachineStats, InnerEnvelope(PortTraffic)]),
    errors: ['state_conflict'],
  }),
  deviceUsageList: endpoint({
    ...readEndpoint,
    path: '/v2/device/usage/{service}',
    addition: true,
    summary: "List a virtual machine's resource usage",
    description:
      'Processor, memory and disk in five-minute samples; the list is empty for a dedicated server. The last 24 hours unless `start` and `stop` are given, at most 400 days.',
    cost: 10,
    history: true,
    params: { service: p.Id, start: p.optional(p.Timestamp), stop: p.optional(p.Timestamp) },
    result: Type.Array(UsageSample),
  }),
  deviceHardwareGet: endpoint({
    ...readEndpoint,
    path: '/v2/device/hardware/{service}',
    summary: 'Get the hardware and ports of a device',
    params: { service: p.Id },
    result: Hardware,
    errors: ['state_conflict', ...new Set([...deviceErrors, ...equipmentErrors.switch])],
  }),
  deviceTypeGet: endpoint({
    ...readEndpoint,
    path: '/v2/device/type/{service}',
    summary: 'Get the type of a service',
    description: 'The type is dedicated, vps or cloud.',
    history: true,
    params: { service: p.Id },
    result: Type.Enum(serviceTypes),
  }),
} as const;
