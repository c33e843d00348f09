// The operator's side: what customers ask for of the address pools.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';

const text = Type.String();
const statuses = ['Pending', 'Assigned', 'Refused'] as const;

export const AddressRequest = Type.Object({
  id: text,
  account: text,
  service: text,
  family: Type.Enum(['ipv4', 'ipv6']),
  size: Type.String({ description: 'Such as /28' }),
  status: Type.Enum(statuses),
  netblock: Type.String({ description: 'What was assigned; empty where nothing was' }),
  created: text,
  decided: Type.String({ description: 'Moment in UTC; empty where no operator decided' }),
  reason: Type.String({ description: 'Why it was refused' }),
});

export const requestOperator = {
  requestList: endpoint({
    method: 'GET',
    path: '/operator/request',
    tag: 'request',
    access: 'operator:read',
    command: 'request list',
    addition: true,
    summary: 'Requests for addresses, newest first, a page at a time',
    params: {
      status: p.optional(p.Choice(...statuses)),
      limit: p.optional(p.Whole(1, 1000)),
      before: p.optional(p.Id),
    },
    result: Type.Array(AddressRequest),
  }),
  requestApprove: endpoint({
    method: 'POST',
    path: '/operator/request/approve',
    tag: 'request',
    access: 'operator:addresses',
    effect: 'stored',
    command: 'request approve',
    addition: true,
    summary: 'Assign a free block of the size that was asked for',
    params: { id: p.Id },
    result: AddressRequest,
    errors: ['state_conflict', 'nothing_free'],
  }),
  requestRefuse: endpoint({
    method: 'POST',
    path: '/operator/request/refuse',
    tag: 'request',
    access: 'operator:addresses',
    effect: 'stored',
    command: 'request refuse',
    addition: true,
    summary: 'Refuse a request; the customer is told why',
    params: { id: p.Id, reason: p.Text({ max: 200 }) },
    result: AddressRequest,
    errors: ['state_conflict'],
  }),
} as const;
