// Version 2, our addition: when the provider's staff viewed the account as its owner does.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { SupportAccess } from '../shapes/support.ts';

/** Shared with the staff's endpoint. */
export const endEndpoint = {
  method: 'DELETE',
  description: 'Takes effect immediately.',
  params: { id: p.Id },
  target: ['id'],
  errors: ['state_conflict'],
} as const;

export const supportV2 = {
  supportAccessList: endpoint({
    method: 'GET',
    path: '/v2/account/support',
    tag: 'key',
    access: 'audit:read',
    addition: true,
    summary: 'List support accesses, newest first',
    description: 'Who of the provider’s staff signed in as this account, when and why.',
    params: p.pageBefore(p.Id),
    result: Type.Array(SupportAccess),
  }),
  supportAccessEnd: endpoint({
    ...endEndpoint,
    path: '/v2/account/support',
    tag: 'key',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    summary: 'End a support access',
  }),
} as const;
