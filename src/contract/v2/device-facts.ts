// Version 2, our additions: what an account wants to know about a service, and its own labels for it.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { DeviceFacts, DevicePrice, maxLabels } from '../shapes/device-facts.ts';

export const deviceFactsV2 = {
  deviceFactsGet: endpoint({
    method: 'GET',
    path: '/v2/device/facts/{service}',
    tag: 'device',
    access: 'device:read',
    addition: true,
    summary: 'Get the installed system, location and age of a service',
    description: 'As recorded, without contacting the device.',
    params: { service: p.Id },
    result: DeviceFacts,
  }),
  devicePriceGet: endpoint({
    method: 'GET',
    path: '/v2/device/price/{service}',
    tag: 'device',
    access: 'billing:read',
    addition: true,
    cost: 5,
    summary: 'Get the price of a service and its share of the next invoice',
    description:
      'Computed like the next invoice itself, without tax. Traffic and addresses are billed for the past period, so they can still change until then.',
    params: { service: p.Id },
    result: DevicePrice,
  }),
  deviceLabelSet: endpoint({
    method: 'PUT',
    path: '/v2/device/label',
    tag: 'device',
    access: 'device:write',
    effect: 'stored',
    addition: true,
    ignoresHold: true,
    summary: 'Add and remove labels of a service',
    description: `Returns the resulting labels, at most ${maxLabels}. Adding a label that the service already has, or removing one that it does not have, changes nothing.`,
    params: {
      service: p.Id,
      add: p.optional(p.List(p.Label, { max: maxLabels })),
      remove: p.optional(p.List(p.Label, { max: maxLabels })),
    },
    target: ['service'],
    result: Type.Array(Type.String()),
    errors: ['state_conflict'],
  }),
} as const;
