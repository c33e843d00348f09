// Version 2, our additions: TSIG keys, for updates (RFC 2136) and transfers of zones.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { DnsLimits } from '../shapes/dns-limits.ts';
import { NewTsigKey, TsigKey, tsigAlgorithms } from '../shapes/tsig.ts';

const tsigEndpoint = { path: '/v2/dns/tsig', tag: 'dns', access: 'account:keys', addition: true } as const;

export const tsigV2 = {
  tsigKeyList: endpoint({
    ...tsigEndpoint,
    method: 'GET',
    summary: 'List TSIG keys',
    description: 'Secrets are never returned.',
    result: Type.Array(TsigKey),
  }),
  tsigKeyCreate: endpoint({
    ...tsigEndpoint,
    method: 'POST',
    effect: 'stored',
    summary: 'Create a TSIG key',
    description:
      'DNS tools use it to update and transfer the zones of the account. `dns` limits it to certain zones, names and types; a limited key can transfer only zones that it may read completely. The secret is returned only once.',
    params: {
      name: p.Text({ max: 64 }),
      algorithm: p.optional(p.Choice(...tsigAlgorithms)),
      dns: p.optional(DnsLimits),
      allow: p.optional(p.List(p.Cidr, { max: 50 })),
      expires: p.optional(p.Timestamp),
    },
    target: ['name'],
    result: NewTsigKey,
    errors: ['state_conflict'],
  }),
  tsigKeyDelete: endpoint({
    ...tsigEndpoint,
    method: 'DELETE',
    effect: 'stored',
    summary: 'Delete a TSIG key',
    description: 'The key stops working within a second.',
    params: { id: p.Id },
    target: ['id'],
    result: Type.Literal('Key Deleted'),
  }),
} as const;
