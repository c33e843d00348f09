// Zones and records in responses.
import { Type } from 'typebox';
import { described, text } from './text.ts';

const recordTypesV2 = [
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
/** Types that the public specification does not have. */
export const addedRecordTypes = [
  'ALIAS',
  'CAA',
  'CDNSKEY',
  'CDS',
  'DNAME',
  'HINFO',
  'HTTPS',
  'OPENPGPKEY',
  'PTR',
  'SMIMEA',
  'SVCB',
  'TLSA',
  'URI',
] as const;
export const recordTypes = [...recordTypesV2, ...addedRecordTypes] as const;
export const recordTypesLegacy = ['A', 'AAAA', 'CNAME', 'NS', 'PTR', 'SOA'] as const;
export type RecordType = (typeof recordTypes)[number];

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
export const ZoneClaim = Type.Object({
  domain: text,
  record: described('The name of the TXT record to publish'),
  content: described('The content of the TXT record'),
  expires: described('ISO 8601, UTC'),
});
export const withdrawalReasons = ['proof', 'provider', 'addresses'] as const;
export type WithdrawalReason = (typeof withdrawalReasons)[number];
export const withdrawalReason = Type.Enum(withdrawalReasons, {
  description:
    'Another account proved control of the domain, the provider needs the name, or the account no longer has the addresses',
});
export const WithdrawnZone = Type.Object({
  domain_id: text,
  name: text,
  reason: withdrawalReason,
  timestamp: described('ISO 8601, UTC'),
});
export const NewId = Type.String({ pattern: '^[0-9]+$', description: 'The new id' });
export const Removed = Type.String({ pattern: '^ID: [0-9]+ removed$', description: 'ID: <id> removed' });
export const ReverseSet = Type.Record(text, text, { description: 'New reverse DNS names by address' });

const RecordLine = Type.Object({ name: text, type: text, ttl: text, content: text });
const difference = {
  added: Type.Array(RecordLine, { description: 'Added records' }),
  removed: Type.Array(RecordLine, { description: 'Removed records' }),
};
export const ZoneDifference = Type.Object({
  ...difference,
  applied: Type.Boolean({ description: 'False for a dry run' }),
  serial: described("The zone's current serial"),
});
export const ChangeSetResult = Type.Array(
  Type.Object(
    {
      domain_id: described('The id of the zone; empty for a zone of the provider'),
      zone: described('The name of the zone'),
      ...ZoneDifference.properties,
    },
    { description: 'The changes of one zone' },
  ),
);
export const ZoneVersion = Type.Object({
  version: text,
  serial: text,
  timestamp: described('ISO 8601, UTC'),
  operation: described('The operation that created this version, as in the audit log'),
  author: Type.Object(
    {
      kind: Type.Enum(['person', 'key', 'tsig', 'staff', 'provider', 'unknown'], {
        description:
          'Unknown for versions that were made before authors were recorded, and for a key that is limited to certain records',
      }),
      name: described('Empty if the person or key has been deleted'),
    },
    { description: 'Who created this version' },
  ),
  ...difference,
});
const delegationStates = ['ours', 'others', 'partly', 'none', 'unknown'] as const;
export const ZoneDelegation = Type.Object({
  status: Type.Enum(delegationStates, {
    description:
      "Where the parent zone sends resolvers: to the provider's name servers, to others, to both, or nowhere, because the domain is not registered or not delegated; unknown if the parent zone could not be queried",
  }),
  parent: described('The parent zone; empty if unknown'),
  nameservers: Type.Array(text, { description: 'The name servers of this zone according to its parent zone' }),
  expected: Type.Array(text, { description: "The provider's name servers" }),
  reason: described('Why the status is unknown; empty if it is known'),
});
export const Dnssec = Type.Object({
  status: Type.Enum(['on', 'off']),
  ds: Type.Array(text, { description: 'Contents of the DS records for the parent zone' }),
  keys: Type.Optional(
    Type.Array(Type.Object({ tag: text, state: Type.Enum(['published', 'active', 'retired']) }), {
      description: 'Keys that the built-in name server signs the zone with',
    }),
  ),
  cds: Type.Optional(
    Type.Enum(['publish', 'delete'], {
      description: 'What the CDS records ask the parent zone to do with its DS records',
    }),
  ),
  rollover: Type.Optional(described('Id of the action that replaces the key')),
  rollover_direction: Type.Optional(
    Type.Enum(['forward', 'back'], {
      description: 'back: it was cancelled or failed, and lasts until no resolver needs the new key',
    }),
  ),
});
