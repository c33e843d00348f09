// Operator API: customers' services, from provisioning to termination.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { serviceStatuses } from '../shapes/device.ts';
import { ProvisionOptions, ProvisionPreview } from '../shapes/provision.ts';
import { OperatorService, OperatorServiceListItem, ServiceWork, serviceTypes } from '../shapes/operator-service.ts';
import { Price } from '../site/billing.ts';

const readEndpoint = { method: 'GET', tag: 'service', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'service', access: 'operator:services', effect: 'stored', result: ServiceWork } as const;
const suspendEndpoint = { ...writeEndpoint, method: 'POST', access: 'operator:suspend' } as const;

const orderParams = {
  account: p.Id,
  type: p.Choice(...serviceTypes),
  name: p.Text({ max: 64 }),
  hostname: p.DomainName,
  size: p.optional(p.AddressSize),
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
} as const;

export const serviceOperator = {
  serviceOptions: endpoint({
    ...readEndpoint,
    path: '/operator/service/options',
    command: 'service options',
    summary: 'List the options for provisioning a service',
    description: 'Plans, free servers by model, templates, and hypervisors with their free capacity.',
    cost: 10,
    result: ProvisionOptions,
  }),
  servicePreview: endpoint({
    ...readEndpoint,
    method: 'POST',
    path: '/operator/service/preview',
    effect: 'none',
    command: 'service preview',
    summary: 'Preview a service before it is provisioned',
    description:
      'Takes and checks the same parameters as provisioning, and returns the addresses and invoices. Nothing is reserved: another service may take the addresses first.',
    params: orderParams,
    cost: 10,
    result: ProvisionPreview,
    errors: ['state_conflict', 'nothing_free', 'not_in_catalogue', 'account_closed', 'device_held'],
  }),
  serviceList: endpoint({
    ...readEndpoint,
    path: '/operator/service',
    command: 'service list',
    summary: 'List services',
    description:
      '`search` matches an id, the legacy name of a server, or part of a name, host name, address or server. Pass the last id as `after` for the next page.',
    params: {
      account: p.optional(p.Id),
      type: p.optional(p.Choice(...serviceTypes)),
      status: p.optional(p.Choice(...serviceStatuses)),
      search: p.optional(p.Text({ max: 100 })),
      ...p.pageAfter(p.Id),
    },
    result: Type.Array(OperatorServiceListItem),
  }),
  serviceGet: endpoint({
    ...readEndpoint,
    path: '/operator/service/{id}',
    command: 'service get',
    summary: 'Get a service',
    description: 'Includes its addresses, terms and running workflows.',
    params: { id: p.Id },
    result: OperatorService,
  }),
  serviceProvision: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/service',
    command: 'service provision',
    summary: 'Provision a service',
    description:
      'Gives an account a server or machine, with addresses from the pools, on the terms of a plan. A dedicated service needs a free `server` and is Active immediately. A machine needs `template`, and `vcpus`, `memorymb` and `diskgb` unless its `plan` has a size; values that you pass replace those of the plan. Its service is Pending until the workflow has created the machine. With `plan`, the service has the price of the plan; with `price`, an individual price; without both, it is not billed.',
    params: orderParams,
    target: ['server', 'name', 'type', 'account', 'template', 'plan'],
    errors: ['state_conflict', 'nothing_free', 'not_in_catalogue', 'account_closed', 'device_held'],
  }),
  serviceRetry: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/service/retry',
    command: 'service retry',
    summary: 'Create the machine of a service now',
    description: 'Retries immediately to create a machine that does not exist yet.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  serviceSuspend: endpoint({
    ...suspendEndpoint,
    path: '/operator/service/suspend',
    command: 'service suspend',
    summary: 'Suspend a service',
    description:
      'Lasts until the service is resumed. Work that the customer has in progress on the device is cancelled first. `how` selects what is cut off: the power (a machine may shut down first), the switch ports, or nothing. The default is the switch ports if the server has any, otherwise the power. A service that is suspended for unpaid invoices can be suspended as well; paying them then does not resume it.',
    params: { id: p.Id, reason: p.Text(), how: p.optional(p.Choice('power', 'ports', 'nothing')) },
    target: ['id', 'reason'],
    errors: ['state_conflict', ...equipmentErrors.bmc, ...equipmentErrors.switch],
  }),
  serviceResume: endpoint({
    ...suspendEndpoint,
    path: '/operator/service/resume',
    command: 'service resume',
    summary: 'Resume a service',
    description: 'Restores what was cut off.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  serviceTerminate: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/service',
    command: 'service terminate',
    summary: 'Terminate a service',
    description:
      'This cannot be undone: work in progress is cancelled, the device is powered off, billing ends, addresses are returned and a machine is deleted. `hostname` must be that of the service, so that a mistyped id terminates nothing. `how` is `power` by default; use `nothing` for a device that no longer responds.',
    params: { id: p.Id, hostname: p.DomainName, how: p.optional(p.Choice('power', 'nothing')) },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
