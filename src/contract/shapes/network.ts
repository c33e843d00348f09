// Netblocks, ports, traffic and anomalies in responses. `protocal` is spelled as callers know it.
import { Type, type TSchema } from 'typebox';
import { Day, Flag01 } from './account.ts';
import { described, text } from './text.ts';

const digits = Type.String({ pattern: '^[0-9]+$' });

/** Some responses contain another envelope in `result`. */
export function InnerEnvelope<T extends TSchema>(result: T) {
  return Type.Object({ success: Type.Boolean(), results: Type.Integer(), result });
}

export const AddressNames = Type.Record(text, text, {
  description: 'Reverse DNS names by address, or the text No Record Found',
});

export const PortStatus = Type.String({
  pattern: ' - (?:Up|Down) / (?:Up|Down)$',
  description: '<alias> - <admin status> / <oper status>',
});
const upOrDown = Type.Enum(['up', 'down']);
const portState = {
  ifAdminStatus: upOrDown,
  ifOperStatus: upOrDown,
  ifSpeed: Type.String({ pattern: '^[0-9]+$', description: 'Bits per second' }),
};
export const PortState = Type.Object(portState);
export const PortList = Type.Record(text, Type.Object({ name: text, ...portState }), { description: 'Ports by id' });

export const PortCounters = Type.Object({
  inbits_last: digits,
  outbits_last: digits,
  inbits_avg: digits,
  outbits_avg: digits,
  inbytes: digits,
  outbytes: digits,
  totalbytes: digits,
  '95pct': digits,
});

export const TrafficSample = Type.Object({
  start: Type.String({ pattern: '^[0-9]+$', description: 'Start of the interval, Unix timestamp' }),
  inbytes: digits,
  outbytes: digits,
  marks: described('Space-separated: missing, gap, reset, clock, wrap, attack; empty for a normal measurement'),
});
export const TrafficMonth = Type.Object({
  start: digits,
  end: digits,
  '95pct': Type.String({ pattern: '^[0-9]+$', description: 'So far, in bits per second' }),
  projected: Type.String({ pattern: '^[0-9]+$', description: 'Projected from the last seven days' }),
  least: Type.String({
    pattern: '^[0-9]+$',
    description: 'The lowest possible value, with no more traffic this month',
  }),
  level: Type.String({ pattern: '^[0-9]+$', description: 'The level above which traffic counts as a burst' }),
  burstallowed: Type.String({ pattern: '^[0-9]+$', description: 'Free burst intervals per month' }),
  burstused: digits,
  burstleft: digits,
  committed: Type.String({
    pattern: '^[0-9]*$',
    description: 'Included in the price, in bits per second; empty if traffic is not billed',
  }),
  days: Type.Array(Type.Object({ day: Day, inbytes: digits, outbytes: digits }), {
    description: 'Traffic of each day so far, in UTC',
  }),
});

const Attack = Type.Object({
  attack_id: text,
  rule_direction: text,
  ip: text,
  mask: text,
  rule_unit: text,
  filters: text,
  value: text,
  first: text,
  last: text,
  tick: text,
  sensor_type: text,
  sensor_id: text,
  sensor_interface: text,
  protocal: text,
});

const TrafficLog = Type.Object({
  ip: text,
  activity: text,
  d_total: text,
  d_totalbits: text,
  s_total: text,
  s_totalbits: text,
  d_tcp: text,
  d_tcpbits: text,
  s_tcp: text,
  s_tcpbits: text,
  d_syn: text,
  d_synbits: text,
  s_syn: text,
  s_synbits: text,
  d_udp: text,
  d_udpbits: text,
  s_udp: text,
  s_udpbits: text,
  d_icmp: text,
  d_icmpbits: text,
  s_icmp: text,
  s_icmpbits: text,
});

export const AnomalyEvent = Type.Object({
  id: text,
  anomaly_id: text,
  target_ip: text,
  internal_client: text,
  internal_service: text,
  internal_device: text,
  internal_network: Type.Union([Type.String(), Type.Number()]),
  active: Flag01,
  start: digits,
  end: Type.String({ pattern: '^[0-9]+$', description: '0 while the event is active' }),
  nullroute_start: Type.Union([digits, Type.Null()]),
  nullroute_end: Type.Union([digits, Type.Null()]),
  nullroute_active: Flag01,
  detail: InnerEnvelope(Type.Array(Attack)),
  logs: InnerEnvelope(Type.Array(TrafficLog)),
});
export const AnomalyEvents = Type.Record(text, AnomalyEvent, { description: 'Events by anomaly_id' });

export const NetblockRequest = Type.Object({
  requestid: text,
  status: Type.Enum(['Assigned', 'Pending']),
  netblock: described('Empty while pending'),
});
export const NetblockRequestState = Type.Object({
  requestid: text,
  type: Type.Enum(['ipv4', 'ipv6']),
  size: described('Such as /28'),
  status: Type.Enum(['Pending', 'Assigned', 'Refused']),
  netblock: described('The assigned block; empty if none'),
  created: described('Time in UTC'),
  decided: described('When staff decided, in UTC; otherwise empty'),
  reason: described('Why it was rejected'),
});
export const NetblockDelivery = Type.Object({
  netblock: text,
  delivery: Type.Enum(['routed', 'on-link'], {
    description: 'Routed to the main address of the service, or on-link in a network with a gateway',
  }),
  status: Type.Enum(['Active', 'Pending'], {
    description: 'Pending until routers and hypervisors let traffic of the block through',
  }),
  address: described('The first usable address of the block'),
  prefix: Type.String({ pattern: '^[0-9]+$', description: 'The prefix length to configure its addresses with' }),
  netmask: described('The prefix length as a netmask; empty for IPv6'),
  gateway: described('The gateway of the network; empty if the block is routed'),
  nexthop: described('The address that the block is routed to; empty if it is on-link'),
  configuration: Type.Object(
    { netplan: text, ifupdown: text, networkmanager: text, networkd: text, windows: text },
    { description: 'Lines to add to the configuration of the operating system' },
  ),
});
export const Nullroute = Type.Object({ ip: text, start: text, end: text, active: Flag01, reason: text });
