// Legacy: netblocks, switch ports, address requests and null routes of a dedicated server.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { AddressNames, NetblockRequest, Nullroute, PortList } from '../shapes/network.ts';

const Family = p.Choice('ipv4', 'ipv6');
const nullrouteResults = [
  'Null-routed',
  'Null-route Pending',
  'Null-route Removed',
  'Null-route Removal Pending',
] as const;

const writeEndpoint = { tag: 'network', access: 'network:write', effect: 'equipment' } as const;

export const networkLegacy = {
  netblockList: endpoint({
    method: 'POST',
    path: '/network/netblock',
    tag: 'network',
    access: 'network:read',
    effect: 'none',
    summary: 'List the addresses of a server',
    description: 'Lists one address family, with reverse DNS.',
    params: { type: Family, server: p.LegacyServerName },
    result: AddressNames,
  }),
  portSet: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/network/port',
    reading: { parameter: 'action', values: [undefined], access: 'network:read' },
    summary: 'List, enable or disable the switch ports of a server',
    description: 'Without `action`, lists the ports. `id` is required with an action.',
    params: {
      server: p.LegacyServerName,
      action: p.optional(p.Choice('enable', 'disable')),
      id: p.optional(p.Id),
    },
    target: ['server', 'id', 'action'],
    result: Type.Union([PortList, Type.Enum(['Port Enabled.', 'Port Disabled.'])]),
    errors: ['device_busy', ...equipmentErrors.switch],
  }),
  netblockRequest: endpoint({
    method: 'POST',
    path: '/network/request',
    tag: 'network',
    access: 'network:write',
    effect: 'stored',
    cost: 5,
    ignoresHold: true,
    summary: 'Request a netblock',
    description:
      "Assigned immediately, or submitted for approval if the pool or the service's quota requires it. An ipv4 block is /30 to /24, an ipv6 block /64.",
    params: { server: p.LegacyServerName, type: Family, size: p.NetblockSize },
    target: ['server', 'type'],
    result: NetblockRequest,
    errors: ['nothing_free', 'state_conflict'],
  }),
  nullrouteSet: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/network/nullroute',
    reading: { parameter: 'ip', values: [undefined], access: 'network:read' },
    ignoresHold: true,
    summary: 'List, create or remove null routes of a server',
    description:
      'Without an address, lists the null routes. A result that ends in Pending means that the request is stored and applied as soon as the router responds again.',
    params: { server: p.LegacyServerName, ip: p.optional(p.IpAddress), action: p.addition(p.Choice('add', 'remove')) },
    target: ['server', 'ip', 'action'],
    result: Type.Union([Type.Array(Nullroute), Type.Enum(nullrouteResults)]),
    errors: ['capability_missing', 'nothing_free', 'state_conflict', ...equipmentErrors.router],
  }),
} as const;
