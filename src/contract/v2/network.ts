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
  PortStatus,
  TrafficMonth,
  TrafficSample,
} from '../shapes/network.ts';

export const networkV2 = {
  netblockList: endpoint({
    method: 'GET',
    path: '/v2/network/netblock/{service}',
    tag: 'network',
    access: 'network:read',
    summary: 'The addresses of a service, with their reverse names',
    params: { service: p.Id },
    result: AddressNames,
  }),
  eventList: endpoint({
    method: 'GET',
    path: '/v2/network/events/{service}',
    tag: 'network',
    access: 'network:read',
    summary: 'Anomalies seen in the traffic of a service',
    description: 'The newest 100 unless `limit` is given; `before` is the anomaly id of the last one seen.',
    params: { service: p.Id, limit: p.added(p.Whole(1, 1000)), before: p.added(p.Id) },
    result: AnomalyEvents,
    resultsAs: 'count-string',
  }),
  portGet: endpoint({
    method: 'GET',
    path: '/v2/network/port/{service}',
    tag: 'network',
    access: 'network:read',
    summary: 'The state of the switch port of a service',
    params: { service: p.Id },
    result: PortStatus,
    errors: ['capability_missing', ...equipmentErrors.switch],
  }),
  portEnable: endpoint({
    method: 'PUT',
    path: '/v2/network/port',
    tag: 'network',
    access: 'network:write',
    effect: 'equipment',
    summary: 'Enable the switch port of a service',
    params: { service: p.Id },
    result: Type.Literal('Port Enabled.'),
    resultsAs: 'zero-string',
    errors: ['capability_missing', 'device_busy', ...equipmentErrors.switch],
  }),
  portDisable: endpoint({
    method: 'DELETE',
    path: '/v2/network/port',
    tag: 'network',
    access: 'network:write',
    effect: 'equipment',
    summary: 'Disable the switch port of a service',
    params: { service: p.Id },
    result: Type.Literal('Port Disabled.'),
    resultsAs: 'zero-string',
    errors: ['capability_missing', 'device_busy', ...equipmentErrors.switch],
  }),
  bandwidthGet: endpoint({
    method: 'POST',
    path: '/v2/network/bandwidth/{service}',
    tag: 'network',
    access: 'network:read',
    effect: 'none',
    summary: 'Traffic figures and graphs of the ports of a service',
    description: 'The last 24 hours unless `start` and `end` are given, at most 400 days.',
    params: { service: p.Id, start: p.optional(p.Timestamp), end: p.optional(p.Timestamp) },
    result: InnerEnvelope(PortTraffic),
    errors: ['capability_missing'],
  }),
  trafficGet: endpoint({
    method: 'GET',
    path: '/v2/network/traffic/{service}',
    tag: 'network',
    access: 'network:read',
    addition: true,
    summary: 'The five-minute samples behind figures, graphs and bills, to be checked offline',
    description:
      'The last 24 hours unless `start` and `end` are given. All ports of the service are summed per interval.',
    params: {
      service: p.Id,
      start: p.optional(p.Timestamp),
      end: p.optional(p.Timestamp),
      format: p.optional(p.Choice('json', 'csv')),
    },
    result: Type.Union([Type.Array(TrafficSample), Type.String()]),
  }),
  monthGet: endpoint({
    method: 'GET',
    path: '/v2/network/month/{service}',
    tag: 'network',
    access: 'network:read',
    addition: true,
    summary: 'The month so far: its 95th percentile, what it is going to be, how much may still burst, and its days',
    description:
      'Bursts are counted against `level` in bits per second, or else against the projected 95th percentile.',
    params: { service: p.Id, level: p.optional(p.Whole(1, Number.MAX_SAFE_INTEGER)) },
    result: TrafficMonth,
  }),
} as const;
