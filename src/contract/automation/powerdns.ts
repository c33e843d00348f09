// The PowerDNS-compatible API, in the shapes of PowerDNS 4.9, for tools that manage zones through it. Members that
// Hostyard has no use for are ignored, as PowerDNS does. See docs/decisions/powerdns-api.md.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { ApiVersion, Notification, PowerDnsZone, Server, ServerApi, ZoneSummary } from '../shapes/powerdns.ts';

const maxSets = 20_000;
const rrset = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 1024 }),
  type: Type.String({ minLength: 1, maxLength: 16 }),
  changetype: Type.Optional(Type.String({ maxLength: 16 })),
  ttl: Type.Optional(Type.Integer({ minimum: 0, maximum: 0x7fff_ffff })),
  records: Type.Optional(
    Type.Array(Type.Object({ content: Type.String({ maxLength: 300_000 }), disabled: Type.Optional(Type.Boolean()) }), {
      maxItems: maxSets,
    }),
  ),
});
const Rrsets = Type.Array(rrset, {
  maxItems: maxSets,
  'x-reason': `must be a JSON array of at most ${maxSets} objects with name, type, changetype, ttl and records`,
});
const ZoneKind = p.Text({ max: 16 });

const base = '/api/v1/servers/localhost';
const readEndpoint = { method: 'GET', tag: 'powerdns', access: 'dns:read', bareStatus: 200 } as const;
const writeEndpoint = {
  tag: 'powerdns',
  access: 'dns:write',
  effect: 'stored',
  publishes: true,
} as const;
/** A megabyte holds thousands of sets, as a zone file does. */
const sized = { costPerKilobyte: 0.5 } as const;

export const powerdnsAutomation = {
  apiList: endpoint({
    ...readEndpoint,
    path: '/api',
    summary: 'List API versions',
    result: Type.Array(ApiVersion),
  }),
  apiGet: endpoint({
    ...readEndpoint,
    path: '/api/v1',
    summary: 'List the resources of API version 1',
    result: ServerApi,
  }),
  serverList: endpoint({
    ...readEndpoint,
    path: '/api/v1/servers',
    summary: 'List servers',
    result: Type.Array(Server),
  }),
  serverGet: endpoint({
    ...readEndpoint,
    path: base,
    summary: 'Get the server',
    result: Server,
  }),
  zoneList: endpoint({
    ...readEndpoint,
    path: `${base}/zones`,
    summary: 'List zones',
    params: { zone: p.optional(p.ZoneName) },
    result: Type.Array(ZoneSummary),
  }),
  zoneCreate: endpoint({
    ...writeEndpoint,
    ...sized,
    bareStatus: 201,
    method: 'POST',
    path: `${base}/zones`,
    summary: 'Create a zone',
    description: "With `nameservers`, these replace the provider's name servers; with `rrsets`, adds those sets.",
    params: {
      name: p.DomainName,
      kind: p.optional(ZoneKind),
      nameservers: p.optional(p.List(p.DomainName, { max: 100 })),
      rrsets: p.optional(Rrsets),
      dnssec: p.optional(p.Flag),
    },
    target: ['name'],
    result: PowerDnsZone,
    errors: [
      'already_exists',
      'state_conflict',
      'name_reserved',
      'capability_missing',
      'computed_record',
      ...equipmentErrors.nameserver,
    ],
  }),
  zoneGet: endpoint({
    ...readEndpoint,
    path: `${base}/zones/{zone}`,
    summary: 'Get a zone and its records',
    params: {
      zone: p.ZoneName,
      rrsets: p.optional(p.Flag),
      rrset_name: p.optional(p.Text({ max: 1024 })),
      rrset_type: p.optional(p.Text({ max: 16 })),
    },
    result: PowerDnsZone,
  }),
  zonePatch: endpoint({
    ...writeEndpoint,
    ...sized,
    bareStatus: 204,
    method: 'PATCH',
    path: `${base}/zones/{zone}`,
    summary: 'Replace and delete sets of records',
    description: 'Applies all changes or none, as one version of the zone.',
    params: { zone: p.ZoneName, rrsets: Rrsets },
    target: ['zone'],
    result: Type.Null(),
    errors: ['state_conflict', 'computed_record', ...equipmentErrors.nameserver],
  }),
  zoneUpdate: endpoint({
    ...writeEndpoint,
    bareStatus: 204,
    method: 'PUT',
    path: `${base}/zones/{zone}`,
    summary: 'Change the settings of a zone',
    description: 'Accepts only the settings that every zone already has; nothing changes.',
    params: { zone: p.ZoneName, kind: p.optional(ZoneKind), dnssec: p.optional(p.Flag) },
    target: ['zone'],
    result: Type.Null(),
    errors: ['state_conflict', ...equipmentErrors.nameserver],
  }),
  zoneDelete: endpoint({
    ...writeEndpoint,
    bareStatus: 204,
    method: 'DELETE',
    path: `${base}/zones/{zone}`,
    summary: 'Delete a zone',
    params: { zone: p.ZoneName },
    target: ['zone'],
    result: Type.Null(),
    errors: ['state_conflict', ...equipmentErrors.nameserver],
  }),
  zoneNotify: endpoint({
    ...readEndpoint,
    effect: 'none',
    method: 'PUT',
    path: `${base}/zones/{zone}/notify`,
    summary: 'Notify the secondaries of a zone',
    description: 'Secondaries are notified automatically after every change.',
    params: { zone: p.ZoneName },
    result: Notification,
  }),
} as const;
