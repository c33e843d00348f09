// Version 2: zones, their records, and the reverse names of the account's addresses.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { NewId, Removed, ReverseSet, Zone, ZoneRecord, recordTypesV2 } from '../shapes/dns.ts';
import { AddressNames } from '../shapes/network.ts';

const reverseLimit = 1000;

export const dnsV2 = {
  zoneList: endpoint({
    method: 'GET',
    path: '/v2/dns/domain',
    tag: 'dns',
    access: 'dns:read',
    summary: 'The zones of the account',
    params: {},
    result: Type.Array(Zone),
  }),
  zoneCreate: endpoint({
    method: 'POST',
    path: '/v2/dns/domain',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Add a zone, with its SOA and name server records; answers its id',
    params: { domain: p.DomainName },
    result: NewId,
    errors: ['already_exists', ...equipmentErrors.nameserver],
  }),
  zoneDelete: endpoint({
    method: 'DELETE',
    path: '/v2/dns/domain',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Remove a zone and its records',
    params: { domain: p.Id },
    result: Removed,
    errors: equipmentErrors.nameserver,
  }),
  recordList: endpoint({
    method: 'GET',
    path: '/v2/dns/record/{domain}',
    tag: 'dns',
    access: 'dns:read',
    summary: 'The records of a zone',
    params: { domain: p.Id },
    result: Type.Array(ZoneRecord),
  }),
  recordCreate: endpoint({
    method: 'POST',
    path: '/v2/dns/record',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Add a record to a zone; an SOA replaces the one that is there',
    description: 'When the call returns, the name server answers with the record. `ttl` is 3600 seconds unless given.',
    params: {
      domain: p.Id,
      record: p.RecordName,
      type: p.Choice(...recordTypesV2),
      content: p.RecordContent,
      ttl: p.added(p.TimeToLive),
    },
    result: Type.Literal('Record Added'),
    errors: ['already_exists', 'state_conflict', 'computed_record', ...equipmentErrors.nameserver],
  }),
  recordDelete: endpoint({
    method: 'DELETE',
    path: '/v2/dns/record',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Remove a record',
    params: { domain: p.Id, record: p.Id },
    result: Removed,
    errors: ['state_conflict', ...equipmentErrors.nameserver],
  }),
  reverseList: endpoint({
    method: 'GET',
    path: '/v2/dns/reverse/{service}',
    tag: 'dns',
    access: 'dns:read',
    summary: 'The reverse names of a service, or of all services',
    description: 'Names every assigned IPv4 address, and each IPv6 address that has a record.',
    params: { service: p.optional(p.Id) },
    result: AddressNames,
  }),
  reverseSet: endpoint({
    method: 'PUT',
    path: '/v2/dns/reverse',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Set the reverse name of an address',
    params: { ip: p.IpAddress, record: p.DomainName },
    result: Type.Literal('Record Updated'),
    errors: equipmentErrors.nameserver,
  }),
  reverseSetMany: endpoint({
    method: 'POST',
    path: '/v2/dns/reverse',
    tag: 'dns',
    access: 'dns:write',
    effect: 'stored',
    summary: 'Set the reverse names of several addresses, all or none',
    params: { records: p.ObjectList({ ip: p.IpAddress, record: p.DomainName }, { max: reverseLimit }) },
    result: ReverseSet,
    errors: equipmentErrors.nameserver,
  }),
} as const;
