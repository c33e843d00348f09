// The operator's side: keys of customers, and the audit logs of all accounts.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { grantNames } from '../scopes.ts';
import { AuditEntry, Key, NewKey } from '../shapes/key.ts';

export const OperatorAuditEntry = Type.Object({
  account: Type.String({ description: 'Whose log it stands in; 0 for the provider’s own' }),
  ...AuditEntry.properties,
});

export const keyOperator = {
  keyList: endpoint({
    method: 'GET',
    path: '/operator/key',
    tag: 'key',
    access: 'operator:read',
    command: 'key list',
    addition: true,
    summary: 'The keys of an account, never their secrets',
    params: { account: p.Id },
    result: Type.Array(Key),
  }),
  keyCreate: endpoint({
    method: 'POST',
    path: '/operator/key',
    tag: 'key',
    access: 'operator:keys',
    effect: 'stored',
    command: 'key create',
    addition: true,
    summary: 'Make a key for an account; it is shown this once',
    params: {
      account: p.Id,
      name: p.Text({ max: 64 }),
      scopes: p.List(p.Choice(...grantNames), { max: grantNames.length }),
      allow: p.optional(p.List(p.Cidr, { max: 50 })),
      expires: p.optional(p.Timestamp),
    },
    result: NewKey,
    errors: ['account_closed'],
  }),
  keyRevoke: endpoint({
    method: 'DELETE',
    path: '/operator/key',
    tag: 'key',
    access: 'operator:keys',
    effect: 'stored',
    command: 'key revoke',
    addition: true,
    summary: 'Revoke a key of an account, at once and for good',
    params: { account: p.Id, id: p.Id },
    result: Type.String(),
  }),
  auditList: endpoint({
    method: 'GET',
    path: '/operator/audit',
    tag: 'key',
    access: 'operator:read',
    command: 'audit list',
    addition: true,
    summary: 'Who changed what, over all accounts, newest first',
    params: {
      account: p.optional(p.Id),
      operator: p.optional(p.Text({ max: 64 })),
      operation: p.optional(p.Text({ max: 64 })),
      outcome: p.optional(p.Text({ max: 64 })),
      limit: p.optional(p.Whole(1, 1000)),
      before: p.optional(p.Id),
    },
    result: Type.Array(OperatorAuditEntry),
  }),
} as const;
