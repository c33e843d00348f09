// Operator API: null routes of all accounts.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { described, text } from '../shapes/text.ts';

const moment = described('Time in UTC; empty if never');

export const OperatorNullroute = Type.Object({
  id: text,
  ip: text,
  account: text,
  service: text,
  origin: Type.Enum(['customer', 'policy', 'operator']),
  reason: text,
  created: moment,
  announced: moment,
  ends: described('When it expires; empty if it stays until it is removed'),
  state: Type.Enum(['Pending', 'Active', 'Withdrawing'], { description: 'The last observed state of the router' }),
});

const writeEndpoint = { tag: 'nullroute', access: 'operator:equipment', effect: 'equipment' } as const;

export const nullrouteOperator = {
  nullrouteList: endpoint({
    method: 'GET',
    path: '/operator/nullroute',
    tag: 'nullroute',
    access: 'operator:read',
    command: 'nullroute list',
    summary: 'List null routes',
    description:
      'Lists null routes that are active or may still be on a router. Pass the last id as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(OperatorNullroute),
  }),
  nullrouteAdd: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/nullroute',
    command: 'nullroute add',
    summary: 'Create a null route',
    description:
      "Lasts for the given minutes, or until it is removed. The policy's limit on the number of routes applies; the daily limit per customer does not.",
    params: { ip: p.IpAddress, reason: p.Text({ max: 200 }), minutes: p.optional(p.Whole(1, 525_600)) },
    target: ['ip', 'reason'],
    result: Type.Enum(['Null-routed', 'Null-route Pending']),
    errors: ['capability_missing', 'nothing_free'],
  }),
  nullrouteRemove: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/nullroute',
    command: 'nullroute remove',
    summary: 'Remove a null route',
    params: { ip: p.IpAddress },
    target: ['ip'],
    result: Type.Enum(['Null-route Removed', 'Null-route Removal Pending']),
  }),
} as const;
