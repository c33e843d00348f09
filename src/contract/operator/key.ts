// Operator API: customers' keys, and the audit logs of all accounts.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { grantNames } from '../scopes.ts';
import { AuditEntry, Key, NewKey } from '../shapes/key.ts';
import { described } from '../shapes/text.ts';

export const OperatorAuditEntry = Type.Object({
  account: described('The account whose log contains it; 0 for the provider’s own'),
  ...AuditEntry.properties,
});

const readEndpoint = { method: 'GET', tag: 'key', access: 'operator:read' } as const;
const writeEndpoint = { path: '/operator/key', tag: 'key', access: 'operator:keys', effect: 'stored' } as const;

export const keyOperator = {
  keyList: endpoint({
    ...readEndpoint,
    path: '/operator/key',
    command: 'key list',
    summary: 'List the keys of an account',
    description: 'Secrets are never returned.',
    params: { account: p.Id },
    result: Type.Array(Key),
  }),
  keyCreate: endpoint({
    ...writeEndpoint,
    access: 'operator:credentials',
    method: 'POST',
    command: 'key create',
    summary: 'Create a key for an account',
    description: 'The key is returned only once. The customer sees it in their list of keys.',
    params: {
      account: p.Id,
      name: p.Text({ max: 64 }),
      scopes: p.List(p.Choice(...grantNames), { max: grantNames.length }),
      allow: p.optional(p.List(p.Cidr, { max: 50 })),
      expires: p.optional(p.Timestamp),
    },
    target: ['name', 'account'],
    result: NewKey,
    errors: ['account_closed'],
  }),
  keyRevoke: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    command: 'key revoke',
    summary: 'Revoke a key of an account',
    description: 'Takes effect immediately and cannot be undone.',
    params: { account: p.Id, id: p.Id },
    target: ['id', 'account'],
  }),
  auditList: endpoint({
    ...readEndpoint,
    path: '/operator/audit',
    command: 'audit list',
    summary: 'List the audit log of all accounts, newest first',
    params: {
      account: p.optional(p.Id),
      operator: p.optional(p.Text({ max: 64 })),
      operation: p.optional(p.Text({ max: 64 })),
      outcome: p.optional(p.Text({ max: 64 })),
      ...p.pageBefore(p.Id),
    },
    result: Type.Array(OperatorAuditEntry),
  }),
} as const;
