// Legacy: netblocks, switch ports, requests for addresses and null-routes of a dedicated server.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { AddressNames, NetblockRequest, Nullroute, PortList } from '../shapes/network.ts';

const Family = p.Choice('ipv4', 'ipv6');
const nullrouteAnswers = [
  'Null-routed',
  'Null-route Pending',
  'Null-route Removed',
  'Null-route Removal Pending',
] as const;

export const networkLegacy = {
  netblockList: endpoint({
    method: 'POST',
    path: '/network/netblock',
    tag: 'network',
    access: 'network:read',
    effect: 'none',
    summary: 'The addresses of a server of one family, with their reverse names',
    params: { type: Family, server: p.ServerName },
    result: AddressNames,
  }),
  portSet: endpoint({
    method: 'POST',
    path: '/network/port',
    tag: 'network',
    access: 'network:write',
    effect: 'equipment',
    reading: { parameter: 'action', values: [undefined], access: 'network:read' },
    summary: 'Enable or disable a switch port of a server; without an action, list its ports',
    description: '`id` is required with an action.',
    params: {
      server: p.ServerName,
      action: p.optional(p.Choice('enable', 'disable')),
      id: p.optional(p.Id),
    },
    result: Type.Union([PortList, Type.Enum(['Port Enabled.', 'Port Disabled.'])]),
    errors: ['device_busy', ...equipmentErrors.switch],
  }),
  netblockRequest: endpoint({
    method: 'POST',
    path: '/network/request',
    tag: 'network',
    access: 'network:write',
    effect: 'stored',
    summary: 'Ask for a netblock: assigned at once, or filed for the operator',
    description: 'An ipv4 block is /30 to /24, an ipv6 block /64.',
    params: { server: p.ServerName, type: Family, size: p.NetblockSize },
    result: NetblockRequest,
    errors: ['nothing_free'],
  }),
  nullrouteSet: endpoint({
    method: 'POST',
    path: '/network/nullroute',
    tag: 'network',
    access: 'network:write',
    effect: 'equipment',
    reading: { parameter: 'ip', values: [undefined], access: 'network:read' },
    summary: 'Null-route an address of a server, or lift it; without an address, list the null-routes',
    description:
      'An answer that ends in Pending: the wish is kept, and carried out as soon as the router answers again.',
    params: { server: p.ServerName, ip: p.optional(p.IpAddress), action: p.added(p.Choice('add', 'remove')) },
    result: Type.Union([Type.Array(Nullroute), Type.Enum(nullrouteAnswers)]),
    errors: ['capability_missing', 'nothing_free', 'state_conflict', ...equipmentErrors.router],
  }),
} as const;
