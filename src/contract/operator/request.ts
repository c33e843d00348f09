// Operator API: customers' requests for addresses.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { described, text } from '../shapes/text.ts';

const statuses = ['Pending', 'Assigned', 'Refused'] as const;

export const AddressRequest = Type.Object({
  id: text,
  account: text,
  service: text,
  family: Type.Enum(['ipv4', 'ipv6']),
  size: described('Such as /28'),
  status: Type.Enum(statuses),
  netblock: described('The assigned block; empty if none'),
  created: text,
  decided: described('Time in UTC; empty without a decision'),
  reason: described('Why it was rejected'),
});

const writeEndpoint = { tag: 'request', access: 'operator:addresses', effect: 'stored' } as const;

export const requestOperator = {
  requestList: endpoint({
    method: 'GET',
    path: '/operator/request',
    tag: 'request',
    access: 'operator:read',
    command: 'request list',
    summary: 'List requests for addresses, newest first',
    params: {
      account: p.optional(p.Id),
      status: p.optional(p.Choice(...statuses)),
      ...p.pageBefore(p.Id),
    },
    result: Type.Array(AddressRequest),
  }),
  requestApprove: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/request/approve',
    command: 'request approve',
    summary: 'Approve a request',
    description: 'Assigns a free block of the requested size.',
    params: { id: p.Id },
    target: ['id'],
    result: AddressRequest,
    errors: ['state_conflict', 'nothing_free'],
  }),
  requestRefuse: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/request/refuse',
    command: 'request reject',
    summary: 'Reject a request',
    description: 'The customer sees the reason.',
    params: { id: p.Id, reason: p.Text({ max: 200 }) },
    target: ['id', 'reason'],
    result: AddressRequest,
    errors: ['state_conflict'],
  }),
} as const;
