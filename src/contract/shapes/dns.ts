// Zones and records as callers see them.
import { Type } from 'typebox';

const text = Type.String();

export const recordTypesV2 = [
  'A',
  'AAAA',
  'NS',
  'CERT',
  'CNAME',
  'DNSKEY',
  'DS',
  'KEY',
  'LOC',
  'MX',
  'NAPTR',
  'NSEC',
  'RP',
  'RRSIG',
  'SOA',
  'SPF',
  'SSHFP',
  'SRV',
  'TXT',
] as const;
export const recordTypesLegacy = ['A', 'AAAA', 'CNAME', 'NS', 'PTR', 'SOA'] as const;
export type RecordType = (typeof recordTypesV2)[number] | (typeof recordTypesLegacy)[number];

export const Zone = Type.Object({
  domain_id: text,
  name: text,
  client: text,
  subclient: Type.Union([Type.String(), Type.Number()]),
});
export const ZoneRecord = Type.Object({
  id: text,
  domain_id: text,
  name: text,
  type: text,
  content: text,
  ttl: text,
});
export const NewId = Type.String({ pattern: '^[0-9]+$', description: 'The new id' });
export const Removed = Type.String({ pattern: '^ID: [0-9]+ removed$', description: 'ID: <id> removed' });
export const ReverseSet = Type.Record(text, text, { description: 'Address to its new reverse name' });
