// Operator API: hypervisors, their capacity and machines.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { lastCheck } from '../shapes/last-check.ts';
import { described, text } from '../shapes/text.ts';

const moment = described('Time in UTC; empty if never');
const readEndpoint = { method: 'GET', tag: 'fleet', access: 'operator:read' } as const;

const Amount = Type.Object(
  {
    total: text,
    used: described('In use'),
    reserved: described('Reserved for machines that are not created yet'),
    free: described('Available for further machines, as reported by the hypervisor'),
  },
  { description: 'Empty if unknown' },
);

export const Node = Type.Object({
  name: text,
  driver: text,
  version: described('Version of the virtualization software; empty if unknown'),
  ...lastCheck,
  machines: described('Number of machines, including those being created'),
  cpus: described('Processor threads; empty if unknown'),
  vcpus: described('Virtual processors of its machines'),
  memorymb: Amount,
  diskgb: Amount,
  read: described('When the capacity was read; empty if it is unknown'),
  maintenance: described('Start of its maintenance, during which no machines are placed on it; otherwise empty'),
  maintenancereason: described('The reason for the maintenance; otherwise empty'),
  evacuation: Type.Enum(['none', 'running', 'ended'], {
    description: 'Whether its machines are being moved to other hypervisors',
  }),
  rack: described('Empty if the site file has none'),
  unit: text,
});

export const NodeMachine = Type.Object({
  vmid: text,
  device: text,
  service: text,
  account: text,
  hostname: text,
  status: described('Status of the service'),
  state: Type.Enum(['on', 'off', 'unknown', 'pending'], {
    description: 'unknown: the hypervisor does not respond or does not have it; pending: it is not created yet',
  }),
  seen: moment,
  error: text,
  member: described('The cluster member that it runs on; empty if none'),
  vcpus: text,
  memorymb: text,
  diskgb: text,
});

export const nodeOperator = {
  nodeList: endpoint({
    ...readEndpoint,
    path: '/operator/node',
    command: 'node list',
    summary: 'List hypervisors',
    description:
      'State and capacity as last read; hypervisors are not contacted. Ordered by name. Pass the last one as `after` for the next page.',
    params: p.pageAfter(p.Text({ max: 64 })),
    result: Type.Array(Node),
  }),
  nodeGet: endpoint({
    ...readEndpoint,
    path: '/operator/node/{name}',
    command: 'node show',
    summary: 'Get a hypervisor',
    description: 'State and capacity as last read; the hypervisor is not contacted.',
    params: { name: p.Text({ max: 64 }) },
    result: Node,
  }),
  machineList: endpoint({
    ...readEndpoint,
    path: '/operator/machine',
    command: 'machine list',
    summary: 'List the machines of a hypervisor',
    description: 'Ordered by number. Pass the last `vmid` as `after` for the next page.',
    params: { node: p.Text({ max: 64 }), ...p.pageAfter(p.Id) },
    result: Type.Array(NodeMachine),
  }),
} as const;
