// The operator's side: services of customers, from the first day to the last.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { serviceStatuses } from '../shapes/device.ts';
import { OperatorService, OperatorServiceListItem, ServiceWork, serviceTypes } from '../shapes/operator-service.ts';
import { Price } from '../site-billing.ts';

const Cut = p.Choice('power', 'ports', 'nothing');

export const serviceOperator = {
  serviceList: endpoint({
    method: 'GET',
    path: '/operator/service',
    tag: 'service',
    access: 'operator:read',
    command: 'service list',
    addition: true,
    summary: 'Services in the order of their numbers, a page at a time',
    description:
      '`search` finds a number, or a part of a name, a host name, an address or a server. `after` is the last id of the page before.',
    params: {
      account: p.optional(p.Id),
      type: p.optional(p.Choice(...serviceTypes)),
      status: p.optional(p.Choice(...serviceStatuses)),
      search: p.optional(p.Text({ max: 100 })),
      limit: p.optional(p.Whole(1, 1000)),
      after: p.optional(p.Id),
    },
    result: Type.Array(OperatorServiceListItem),
  }),
  serviceGet: endpoint({
    method: 'GET',
    path: '/operator/service/{id}',
    tag: 'service',
    access: 'operator:read',
    command: 'service get',
    addition: true,
    summary: 'A service with its addresses, its terms and what runs for it',
    params: { id: p.Id },
    result: OperatorService,
  }),
  serviceProvision: endpoint({
    method: 'POST',
    path: '/operator/service',
    tag: 'service',
    access: 'operator:services',
    effect: 'stored',
    command: 'service provision',
    addition: true,
    summary: 'Give an account a server or a machine, with addresses out of the pools, on the terms of a plan',
    description:
      'A dedicated service needs `server`, a free one, and is Active at once. A machine needs `template`, `vcpus`, `memorymb` and `diskgb`; its service is Pending until the workflow has made it. Without `price` it is not billed.',
    params: {
      account: p.Id,
      type: p.Choice(...serviceTypes),
      name: p.Text({ max: 64 }),
      hostname: p.DomainName,
      size: p.optional(p.NetblockSize),
      server: p.optional(p.ServerName),
      template: p.optional(p.Text({ max: 64 })),
      vcpus: p.optional(p.Whole(1, 1024)),
      memorymb: p.optional(p.Whole(64, 16_777_216)),
      diskgb: p.optional(p.Whole(1, 1_000_000)),
      bandwidthgb: p.optional(p.Whole(0, 100_000_000)),
      node: p.optional(p.Text({ max: 64 })),
      plan: p.optional(p.Text({ max: 64 })),
      price: p.optional(Price),
      setup: p.optional(Price),
      cycle: p.optional(p.Choice('monthly', 'quarterly', 'yearly')),
    },
    result: ServiceWork,
    errors: ['state_conflict', 'nothing_free', 'not_in_catalogue', 'account_closed', 'device_held'],
  }),
  serviceSuspend: endpoint({
    method: 'POST',
    path: '/operator/service/suspend',
    tag: 'service',
    access: 'operator:suspend',
    effect: 'stored',
    command: 'service suspend',
    addition: true,
    summary: 'Suspend a service until it is resumed by hand',
    description:
      '`how` says what is cut off: the power (a machine may shut down first), the switch ports, or nothing. Left out: the ports of a server that has any, else the power.',
    params: { id: p.Id, reason: p.Text(), how: p.optional(Cut) },
    result: ServiceWork,
    errors: ['state_conflict', ...equipmentErrors.bmc, ...equipmentErrors.switch],
  }),
  serviceResume: endpoint({
    method: 'POST',
    path: '/operator/service/resume',
    tag: 'service',
    access: 'operator:suspend',
    effect: 'stored',
    command: 'service resume',
    addition: true,
    summary: 'Resume a suspended service: what was cut off comes back',
    params: { id: p.Id },
    result: ServiceWork,
    errors: ['state_conflict'],
  }),
  serviceTerminate: endpoint({
    method: 'DELETE',
    path: '/operator/service',
    tag: 'service',
    access: 'operator:services',
    effect: 'stored',
    command: 'service terminate',
    addition: true,
    summary: 'End a service for good: it is switched off, billing ends, addresses go back, a machine is removed',
    description:
      '`hostname` has to be that of the service, so that a mistyped number ends nothing. `how` is `power` unless told; `nothing` is for a device that does not answer any more.',
    params: { id: p.Id, hostname: p.DomainName, how: p.optional(p.Choice('power', 'nothing')) },
    result: ServiceWork,
    errors: ['state_conflict'],
  }),
} as const;
