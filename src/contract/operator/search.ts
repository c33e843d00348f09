// Operator API: one search over everything that staff look for.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { described, text } from '../shapes/text.ts';

const searchKinds = [
  'customer',
  'contact',
  'service',
  'server',
  'switch',
  'node',
  'netblock',
  'invoice',
  'zone',
] as const;
export type SearchKind = (typeof searchKinds)[number];

export const SearchResult = Type.Object({
  kind: Type.Enum(searchKinds),
  id: described('A number, or the name of equipment, a block or a zone'),
  title: text,
  subtitle: text,
  account: described('The customer that it belongs to; empty if none'),
  link: described('Its path in the panel'),
});

export const searchOperator = {
  searchGet: endpoint({
    method: 'GET',
    path: '/operator/search',
    tag: 'account',
    access: 'operator:read',
    command: 'search',
    summary: 'Search customers, services, equipment, addresses, invoices and zones',
    description:
      '`text` is part of a name, company, email address, postal address or host name; an IP address, which also finds its block; a MAC address; the beginning of a serial number, server name, invoice number or domain; or an id. Exact matches come first. Finds only what your role can view.',
    params: { text: p.Text({ max: 100 }), limit: p.optional(p.Whole(1, 100)) },
    result: Type.Array(SearchResult),
  }),
} as const;
