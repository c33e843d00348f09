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
    summary: 'The licences of a service and those that it can have',
    params: { service: p.Id },
    result: Licences,
  }),
  softwareOrder: endpoint({
    method: 'POST',
    path: '/software/order',
    tag: 'software',
    access: 'software:order',
    effect: 'stored',
    summary: 'Order a licence; makes an invoice at once, prorated to the end of the period',
    params: licence,
    result: LicenceOrder,
    errors: ['already_exists', 'not_in_catalogue', 'capability_missing'],
  }),
  softwareCancel: endpoint({
    method: 'POST',
    path: '/software/cancel',
    tag: 'software',
    access: 'software:order',
    effect: 'stored',
    summary: 'Cancel a licence at the end of the period',
    params: licence,
    result: Type.Literal('License Cancelled'),
    errors: ['not_in_catalogue', 'capability_missing'],
  }),
} as const;
