// Operator API: machines that a hypervisor had before Hostyard become machines of services.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { HypervisorMachineName } from '../site/machines.ts';
import { described, text } from '../shapes/text.ts';

const NodeName = p.Text({ max: 64 });
const readEndpoint = { method: 'GET', tag: 'fleet', access: 'operator:read', cost: 5 } as const;
const errors = ['capability_missing', ...equipmentErrors.node] as const;

const AdoptableMachine = Type.Object({
  machine: described('Its name on the hypervisor'),
  power: Type.Enum(['on', 'off']),
});

export const ForeignMachine = Type.Object({
  machine: described('Its name on the hypervisor'),
  vcpus: text,
  memorymb: text,
  diskgb: text,
  mac: described('MAC address of its first network card; empty if it has none'),
  limitations: Type.Array(text, { description: 'Limitations of adopting it, in sentences' }),
});

export const adoptionOperator = {
  nodeAdoptable: endpoint({
    ...readEndpoint,
    path: '/operator/node/{name}/adoptable',
    command: 'node adoptable',
    summary: 'List machines of a hypervisor that do not belong to a service',
    params: { name: NodeName },
    result: Type.Array(AdoptableMachine),
    errors,
  }),
  machineInspect: endpoint({
    ...readEndpoint,
    path: '/operator/machine/adopt',
    command: 'machine inspect',
    summary: 'Inspect a machine before adopting it',
    params: { node: NodeName, machine: HypervisorMachineName },
    result: ForeignMachine,
    errors,
  }),
  machineAdopt: endpoint({
    tag: 'fleet',
    access: 'operator:services',
    effect: 'equipment',
    cost: 5,
    method: 'POST',
    path: '/operator/machine/adopt',
    command: 'machine adopt',
    summary: 'Adopt an existing machine of a hypervisor',
    description:
      'The machine itself is not changed. With `service`, it becomes the machine of that service, which must not have one yet. Otherwise it gets a new service of `account`, with `hostname` and `plan`; `netblock` lists its address blocks, starting with the one that contains its main address: IPv4 blocks, and IPv6 blocks of size /64. `template` is the one closest to its operating system. The machine may use any address until you repeat the call with `filter`.',
    params: {
      node: NodeName,
      machine: HypervisorMachineName,
      template: p.Text({ max: 64 }),
      bandwidthgb: p.optional(p.Whole(0, 100_000_000)),
      filter: p.optional(p.Flag),
      service: p.optional(p.Id),
      account: p.optional(p.Id),
      hostname: p.optional(p.DomainName),
      plan: p.optional(p.PlanName),
      netblock: p.optional(p.List(p.Cidr, { max: 16 })),
    },
    target: ['service', 'account', 'template', 'netblock', 'plan', 'machine'],
    result: Type.Object({
      service: text,
      vmid: text,
      outcome: Type.Enum(['adopted', 'changed', 'unchanged'], {
        description: 'changed: it was already adopted, and its network filter was changed',
      }),
      limitations: ForeignMachine.properties.limitations,
    }),
    errors: ['state_conflict', 'not_in_catalogue', 'account_closed', ...errors],
  }),
} as const;
