// Legacy: software licences of a service.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { LicenceOrder, Licences } from '../shapes/software.ts';

const licence = { service: p.Id, type: p.Choice('Dedicated', 'VPS'), license: p.Text() } as const;

export const softwareLegacy = {
  softwareList: endpoint({
    method: 'POST',
    path: '/software/list',
    tag: 'software',
    access: 'software:read',
    effect: 'none',
    summary: 'List the licences of a service and those available',
    params: { service: p.Id },
    result: Licences,
  }),
  softwareOrder: endpoint({
    method: 'POST',
    path: '/software/order',
    tag: 'software',
    access: 'software:order',
    effect: 'stored',
    summary: 'Order a licence',
    description: 'Issues an invoice immediately, prorated to the end of the period.',
    params: licence,
    target: ['service', 'type', 'license'],
    result: LicenceOrder,
    errors: ['already_exists', 'not_in_catalogue', 'capability_missing'],
  }),
  softwareCancel: endpoint({
    method: 'POST',
    path: '/software/cancel',
    tag: 'software',
    access: 'software:order',
    effect: 'stored',
    summary: 'Cancel a licence',
    description: 'Takes effect at the end of the period.',
    params: licence,
    target: ['service', 'type', 'license'],
    result: Type.Literal('License Cancelled'),
    errors: ['not_in_catalogue', 'capability_missing'],
  }),
} as const;
