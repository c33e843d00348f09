// Legacy: zones and records. A record's name may be relative to its zone here.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { NewId, Zone, ZoneRecord, recordTypesLegacy } from '../shapes/dns.ts';

export const dnsLegacy = {
  zoneList: endpoint({
    method: 'GET',
    path: '/dns/domain',
    tag: 'dns',
    access: 'dns:read',
    summary: 'The zones of the account',
    params: {},
    result: Type.Array(Zone),
  }),
  zoneCreate: endpoint({
    method: 'POST',
    path: '/dns/domain',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    publishes: true,
    summary: 'Add a zone, with its SOA and name server records; answers its id',
    params: { name: p.DomainName },
    result: NewId,
    errors: ['already_exists', 'state_conflict', 'capability_missing', ...equipmentErrors.nameserver],
  }),
  recordList: endpoint({
    method: 'GET',
    path: '/dns/domain/{domain_id}',
    tag: 'dns',
    access: 'dns:read',
    summary: 'The records of a zone',
    params: { domain_id: p.Id },
    result: Type.Array(ZoneRecord),
  }),
  recordCreate: endpoint({
    method: 'POST',
    path: '/dns/domain/{domain_id}',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    publishes: true,
    summary: 'Add a record to a zone; answers its id',
    description: 'When the call returns, the name server answers with the record. `ttl` is 3600 seconds unless given.',
    params: {
      domain_id: p.Id,
      name: p.ZoneRecordName,
      type: p.Choice(...recordTypesLegacy),
      content: p.RecordContent,
      ttl: p.optional(p.TimeToLive),
    },
    result: NewId,
    errors: ['already_exists', 'state_conflict', ...equipmentErrors.nameserver],
  }),
} as const;
