// Legacy: zones and records. A record's name may be relative to its zone here.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { TimeToLive } from '../record-parameters.ts';
import { NewId, Zone, ZoneRecord, recordTypesLegacy } from '../shapes/dns.ts';

const writeEndpoint = { tag: 'dns', access: 'dns:write', effect: 'stored', publishes: true } as const;

export const dnsLegacy = {
  zoneList: endpoint({
    method: 'GET',
    path: '/dns/domain',
    tag: 'dns',
    access: 'dns:read',
    summary: 'List zones',
    result: Type.Array(Zone),
  }),
  zoneCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/dns/domain',
    summary: 'Create a zone',
    description: 'Adds SOA and NS records. Returns the id of the zone.',
    params: { name: p.DomainName },
    target: ['name'],
    result: NewId,
    errors: ['already_exists', 'state_conflict', 'name_reserved', 'capability_missing', ...equipmentErrors.nameserver],
  }),
  recordList: endpoint({
    method: 'GET',
    path: '/dns/domain/{domain_id}',
    tag: 'dns',
    access: 'dns:read',
    summary: 'List the records of a zone',
    params: { domain_id: p.Id },
    result: Type.Array(ZoneRecord),
  }),
  recordCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/dns/domain/{domain_id}',
    summary: 'Create a record',
    description:
      "Returns the record's id. When the call returns, the name server serves the record. `ttl` defaults to that of the other records of this name and type, or to 3600 seconds.",
    params: {
      domain_id: p.Id,
      name: p.ZoneRecordName,
      type: p.Choice(...recordTypesLegacy),
      content: p.RecordContent,
      ttl: p.optional(TimeToLive),
    },
    target: ['domain_id', 'name', 'type'],
    result: NewId,
    errors: ['already_exists', 'state_conflict', ...equipmentErrors.nameserver],
  }),
} as const;
