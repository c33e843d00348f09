// Version 2: addresses, anomalies, switch ports and traffic of a service.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { equipmentErrors } from '../errors.ts';
import * as p from '../parameters.ts';
import { PortTraffic } from '../shapes/device.ts';
import {
  AddressNames,
  AnomalyEvents,
  InnerEnvelope,
  NetblockDelivery,
  NetblockRequest,
  NetblockRequestState,
  PortStatus,
  TrafficMonth,
  TrafficSample,
} from '../shapes/network.ts';

const readEndpoint = { method: 'GET', tag: 'network', access: 'network:read' } as const;
const portEndpoint = {
  path: '/v2/network/port',
  tag: 'network',
  access: 'network:write',
  effect: 'equipment',
  params: { service: p.Id },
  target: ['service'],
  resultsAs: 'zero-string',
  errors: ['capability_missing', 'device_busy', ...equipmentErrors.switch],
} as const;

export const networkV2 = {
  netblockList: endpoint({
    ...readEndpoint,
    path: '/v2/network/netblock/{service}',
    summary: 'List the addresses of a service',
    description: 'Includes their reverse DNS.',
    params: { service: p.Id },
    result: AddressNames,
  }),
  netblockRequest: endpoint({
    method: 'POST',
    path: '/v2/network/netblock',
    tag: 'network',
    access: 'network:write',
    effect: 'stored',
    cost: 5,
    addition: true,
    ignoresHold: true,
    summary: 'Request addresses',
    description:
      "Assigned immediately, or submitted for approval if the pool or the service's quota requires it. For ipv4, a single address (/32) or a block of /30 to /24; for ipv6 a /64. `deliveryList` shows how to configure them.",
    params: { service: p.Id, type: p.Choice('ipv4', 'ipv6'), size: p.AddressSize },
    target: ['service', 'type'],
    result: NetblockRequest,
    errors: ['nothing_free', 'state_conflict'],
  }),
  netblockRequestList: endpoint({
    ...readEndpoint,
    path: '/v2/network/request/{service}',
    addition: true,
    summary: 'List requests for addresses',
    description: "Returns up to 100 requests of a service, newest first, with the provider's decision.",
    params: { service: p.Id },
    result: Type.Array(NetblockRequestState),
  }),
  deliveryList: endpoint({
    ...readEndpoint,
    path: '/v2/network/delivery/{service}',
    addition: true,
    summary: 'List how the addresses of a service are delivered',
    description:
      'Returns each block with its prefix length and gateway, and lines that configure it with netplan, ifupdown, NetworkManager or systemd-networkd. `interface` is the interface name in these lines, eth0 by default.',
    params: { service: p.Id, interface: p.optional(p.InterfaceName) },
    result: Type.Array(NetblockDelivery),
  }),
  eventList: endpoint({
    ...readEndpoint,
    path: '/v2/network/events/{service}',
    summary: 'List anomalies of a service',
    description:
      'Returns the newest 1,000 at most, or `limit`. For older ones, pass the smallest anomaly id so far as `before`.',
    history: true,
    params: { service: p.Id, limit: p.addition(p.Whole(1, 1000)), before: p.addition(p.Id) },
    result: AnomalyEvents,
    resultsAs: 'count-string',
  }),
  anomalyList: endpoint({
    ...readEndpoint,
    path: '/v2/network/events',
    addition: true,
    summary: 'List anomalies of all services',
    description:
      'Returns the newest 1,000 at most, or `limit`. For older ones, pass the smallest anomaly id so far as `before`.',
    params: p.pageBefore(p.Id),
    result: AnomalyEvents,
  }),
  portGet: endpoint({
    ...readEndpoint,
    path: '/v2/network/port/{service}',
    summary: 'Get the state of a switch port',
    params: { service: p.Id },
    result: PortStatus,
    errors: ['capability_missing', ...equipmentErrors.switch],
  }),
  portEnable: endpoint({
    ...portEndpoint,
    method: 'PUT',
    summary: 'Enable a switch port',
    result: Type.Literal('Port Enabled.'),
  }),
  portDisable: endpoint({
    ...portEndpoint,
    method: 'DELETE',
    summary: 'Disable a switch port',
    result: Type.Literal('Port Disabled.'),
  }),
  bandwidthGet: endpoint({
    ...readEndpoint,
    method: 'POST',
    path: '/v2/network/bandwidth/{service}',
    effect: 'none',
    summary: 'Get traffic figures and graphs',
    description: 'The last 24 hours unless `start` and `end` are given, at most 400 days.',
    cost: 5,
    history: true,
    params: { service: p.Id, start: p.optional(p.Timestamp), end: p.optional(p.Timestamp) },
    result: InnerEnvelope(PortTraffic),
    errors: ['capability_missing'],
  }),
  trafficGet: endpoint({
    ...readEndpoint,
    path: '/v2/network/traffic/{service}',
    addition: true,
    summary: 'Export traffic samples',
    description:
      'The five-minute samples that figures, graphs and invoices are based on, summed over all ports of the service. The last 24 hours unless `start` and `end` are given.',
    cost: 10,
    history: true,
    params: {
      service: p.Id,
      start: p.optional(p.Timestamp),
      end: p.optional(p.Timestamp),
      format: p.optional(p.Choice('json', 'csv')),
    },
    result: Type.Union([Type.Array(TrafficSample), Type.String()]),
  }),
  monthGet: endpoint({
    ...readEndpoint,
    path: '/v2/network/month/{service}',
    addition: true,
    summary: 'Get the traffic of the current month',
    description:
      'The 95th percentile so far, its projection and the remaining bursts. Traffic above `level`, in bits per second, counts as a burst; the default is the committed rate or, without one, the projected 95th percentile.',
    history: true,
    params: { service: p.Id, level: p.optional(p.Whole(1, Number.MAX_SAFE_INTEGER)) },
    result: TrafficMonth,
  }),
} as const;
