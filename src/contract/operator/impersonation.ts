// Operator API: sign in as a customer, for a limited time and only to read.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Impersonation, NewImpersonation } from '../shapes/support.ts';
import { endEndpoint } from '../v2/support.ts';

const writeEndpoint = { tag: 'key', access: 'operator:impersonate', effect: 'stored' } as const;

export const impersonationOperator = {
  impersonationList: endpoint({
    method: 'GET',
    path: '/operator/impersonation',
    tag: 'key',
    access: 'operator:read',
    command: 'impersonation list',
    summary: 'List impersonations, newest first',
    params: { account: p.optional(p.Id), ...p.pageBefore(p.Id) },
    result: Type.Array(Impersonation),
  }),
  impersonationStart: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/impersonation',
    command: 'impersonation start',
    summary: 'Sign in as a customer',
    description:
      'Returns a read-only key of the customer, valid for 30 minutes by default. It cannot change anything, open consoles or read licence keys. The customer sees your name and the reason, and can end the access. Works only for staff who signed in by name.',
    params: { account: p.Id, reason: p.Text(), minutes: p.optional(p.Whole(1, 60)) },
    target: ['account', 'reason'],
    result: NewImpersonation,
    errors: ['state_conflict', 'account_closed'],
  }),
  impersonationEnd: endpoint({
    ...writeEndpoint,
    ...endEndpoint,
    path: '/operator/impersonation',
    command: 'impersonation end',
    summary: 'End an impersonation',
  }),
} as const;
