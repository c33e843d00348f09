// Operator API: licence orders that wait for a key.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Moment, Money } from '../shapes/account.ts';
import { described, text } from '../shapes/text.ts';

export const LicenceOrder = Type.Object({
  id: text,
  account: text,
  service: text,
  licence: described('As in the catalogue'),
  label: described('The display name; empty if the catalogue has none'),
  price: Money,
  ordered: Moment,
  workflow: text,
});

export const licenceOperator = {
  licenceOrderList: endpoint({
    method: 'GET',
    path: '/operator/licence',
    tag: 'service',
    access: 'operator:read',
    command: 'licence list',
    summary: 'List licence orders waiting for a key, oldest first',
    description: 'Pass the last id as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(LicenceOrder),
  }),
  licenceOrderDeliver: endpoint({
    method: 'POST',
    path: '/operator/licence/deliver',
    tag: 'service',
    access: 'operator:licences',
    effect: 'stored',
    command: 'licence deliver',
    summary: 'Deliver the key of a licence order',
    description: 'The customer is notified and can see the key. Staff cannot read or replace it afterwards.',
    params: { id: p.Id, key: p.LicenceKey },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
