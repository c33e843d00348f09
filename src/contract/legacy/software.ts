// Legacy: software licences of a service.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { LicenceOrder, Licences } from '../shapes/software.ts';

const orderEndpoint = {
  ignoresHold: true,
  method: 'POST',
  tag: 'software',
  access: 'software:order',
  effect: 'stored',
  params: { service: p.Id, type: p.Choice('Dedicated', 'VPS'), license: p.Text() },
  target: ['service', 'type', 'license'],
} as const;

export const softwareLegacy = {
  softwareList: endpoint({
    method: 'POST',
    path: '/software/list',
    tag: 'software',
    access: 'software:read',
    effect: 'none',
    summary: 'List the licences of a service and those available',
    history: true,
    params: { service: p.Id },
    result: Licences,
  }),
  softwareOrder: endpoint({
    ...orderEndpoint,
    path: '/software/order',
    summary: 'Order a licence',
    description: 'Immediately issues an invoice, prorated to the end of the period.',
    result: LicenceOrder,
    errors: ['already_exists', 'state_conflict', 'not_in_catalogue', 'capability_missing'],
  }),
  softwareCancel: endpoint({
    ...orderEndpoint,
    path: '/software/cancel',
    summary: 'Cancel a licence',
    description:
      'Takes effect at the end of the period. An order that has not been delivered ends immediately, and its invoice is credited.',
    result: Type.Literal('License Cancelled'),
    errors: ['state_conflict', 'not_in_catalogue', 'capability_missing'],
  }),
} as const;
