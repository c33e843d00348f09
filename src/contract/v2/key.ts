// Version 2, our additions: keys and the audit log.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { grantNames } from '../scopes.ts';
import { AuditEntry, Key, NewKey } from '../shapes/key.ts';

const Scopes = p.List(p.Choice(...grantNames), { max: grantNames.length });
const Allow = p.List(p.Cidr, { max: 50 });

export const keyV2 = {
  keyGet: endpoint({
    method: 'GET',
    path: '/v2/account/key',
    tag: 'key',
    access: 'account:keys',
    addition: true,
    summary: 'All keys of the account, or the one with this id; never their secrets',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Key),
  }),
  keyCreate: endpoint({
    method: 'POST',
    path: '/v2/account/key',
    tag: 'key',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    summary: 'Make a key; it is shown this once',
    params: {
      name: p.Text({ max: 64 }),
      scopes: Scopes,
      allow: p.optional(Allow),
      expires: p.optional(p.Timestamp),
      contact: p.optional(p.Id),
    },
    result: NewKey,
    errors: ['state_conflict'],
  }),
  keyUpdate: endpoint({
    method: 'PUT',
    path: '/v2/account/key',
    tag: 'key',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    summary: 'Change a key, or rotate its secret: the old one works on for `overlap` seconds',
    description: 'With `rotate` the answer carries the new key, otherwise an empty one.',
    params: {
      id: p.Id,
      name: p.optional(p.Text({ max: 64 })),
      scopes: p.optional(Scopes),
      allow: p.optional(Allow),
      expires: p.optional(p.Timestamp),
      rotate: p.optional(p.Flag),
      overlap: p.optional(p.Whole(0, 30 * 86_400)),
    },
    result: NewKey,
  }),
  keyDelete: endpoint({
    method: 'DELETE',
    path: '/v2/account/key',
    tag: 'key',
    access: 'account:keys',
    effect: 'stored',
    addition: true,
    summary: 'Revoke a key, at once and for good',
    params: { id: p.Id },
    result: Type.String(),
  }),
  auditGet: endpoint({
    method: 'GET',
    path: '/v2/account/audit',
    tag: 'key',
    access: 'audit:read',
    addition: true,
    summary: 'Who changed what, from where and with which outcome, newest first',
    params: { limit: p.optional(p.Whole(1, 1000)), before: p.optional(p.Id) },
    result: Type.Array(AuditEntry),
  }),
} as const;
