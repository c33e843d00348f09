// Version 2, our additions: keys and the audit log.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { grantNames } from '../scopes.ts';
import { DnsLimits } from '../shapes/dns-limits.ts';
import { AuditEntry, Key, NewKey } from '../shapes/key.ts';

const Scopes = p.List(p.Choice(...grantNames), { max: grantNames.length });
const Allow = p.List(p.Cidr, { max: 50 });

const writeEndpoint = { tag: 'key', access: 'account:keys', effect: 'stored', addition: true } as const;

export const keyV2 = {
  keyGet: endpoint({
    method: 'GET',
    path: '/v2/account/key',
    tag: 'key',
    access: 'account:keys',
    addition: true,
    summary: 'List or get keys',
    description: 'Secrets are never returned.',
    params: { id: p.optional(p.Id) },
    result: Type.Array(Key),
  }),
  keyCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/account/key',
    summary: 'Create a key',
    description:
      'The key is returned only once. `dns` limits DNS access to certain zones, names and types. With `services`, the key can see only those services.',
    params: {
      name: p.Text({ max: 64 }),
      scopes: Scopes,
      allow: p.optional(Allow),
      dns: p.optional(DnsLimits),
      services: p.optional(p.ServiceLimits),
      expires: p.optional(p.Timestamp),
      contact: p.optional(p.Id),
    },
    target: ['name'],
    result: NewKey,
    errors: ['state_conflict'],
  }),
  keyUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/v2/account/key',
    summary: 'Update or rotate a key',
    description:
      'With `rotate`, returns the new key, and the old one keeps working for `overlap` seconds; otherwise the key is empty.',
    params: {
      id: p.Id,
      name: p.optional(p.Text({ max: 64 })),
      scopes: p.optional(Scopes),
      allow: p.optional(Allow),
      dns: p.optional(DnsLimits),
      services: p.optional(p.ServiceLimits),
      expires: p.optional(p.Timestamp),
      rotate: p.optional(p.Flag),
      overlap: p.optional(p.Whole(0, 30 * 86_400)),
    },
    target: ['id', 'name'],
    result: NewKey,
  }),
  keyDelete: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/v2/account/key',
    summary: 'Revoke a key',
    description: 'Takes effect immediately and cannot be undone.',
    params: { id: p.Id },
    target: ['id'],
  }),
  auditGet: endpoint({
    method: 'GET',
    path: '/v2/account/audit',
    tag: 'key',
    access: 'audit:read',
    addition: true,
    summary: 'List the audit log, newest first',
    description: 'Who changed what, from where, and with what outcome.',
    params: p.pageBefore(p.Id),
    result: Type.Array(AuditEntry),
  }),
} as const;
