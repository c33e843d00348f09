// Operator API: switches and their ports.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { lastCheck } from '../shapes/last-check.ts';
import { described, text } from '../shapes/text.ts';

const rate = described('Bits per second on average since the previous reading; empty if unknown');
const count = described('Since the switch started; empty if it does not count them');
const perMinute = described('Per minute on average since the previous reading, with two decimals; empty if unknown');
const readEndpoint = { method: 'GET', tag: 'fleet', access: 'operator:read' } as const;

export const NetworkSwitch = Type.Object({
  name: text,
  driver: text,
  description: described('The switch’s description of itself, usually model and software; empty if unknown'),
  ...lastCheck,
  started: described('When it last started, by its own clock; empty if unknown'),
  ports: described('Number of ports; empty if unknown'),
  portsup: described('Ports with a link; empty if unknown'),
  portswitherrors: described('Ports with errors or discards in the last day; empty if unknown'),
  read: described('When its ports were last read; empty if never'),
  rack: described('Empty if the site file has none'),
  unit: text,
});

export const SwitchPort = Type.Object({
  index: described('Number of the port on the switch'),
  name: text,
  alias: text,
  admin: Type.Enum(['up', 'down', ''], { description: 'Empty if unknown' }),
  oper: Type.Enum(['up', 'down', 'unknown', ''], { description: 'Empty if unknown' }),
  speed: described('Bits per second; empty if unknown'),
  in: rate,
  out: rate,
  inerrors: count,
  outerrors: count,
  indiscards: count,
  outdiscards: count,
  errorrate: perMinute,
  discardrate: perMinute,
  erred: described('When errors or discards last increased; empty if they never have'),
  neighbour: described('Name of the device at the other end, by LLDP; empty if none is known'),
  neighbourport: described('The neighbour’s name for its port'),
  neighbourmac: text,
  server: described('Server at the other end according to the site file; empty if none'),
  service: text,
  account: text,
  hostname: text,
  problem: Type.Enum(['', 'missing', 'ambiguous', 'taken', 'miscabled'], {
    description:
      'For a port in the site file. missing, ambiguous, taken: the port cannot be identified. miscabled: LLDP reports another server.',
  }),
});

export const switchOperator = {
  switchList: endpoint({
    ...readEndpoint,
    path: '/operator/switch',
    command: 'switch list',
    summary: 'List switches',
    description:
      'As last read; switches are not contacted. Ordered by name. Pass the last one as `after` for the next page.',
    params: p.pageAfter(p.Text({ max: 64 })),
    result: Type.Array(NetworkSwitch),
  }),
  switchGet: endpoint({
    ...readEndpoint,
    path: '/operator/switch/{name}',
    command: 'switch show',
    summary: 'Get a switch',
    description: 'As last read; the switch is not contacted.',
    params: { name: p.Text({ max: 64 }) },
    result: NetworkSwitch,
  }),
  portList: endpoint({
    ...readEndpoint,
    path: '/operator/port',
    command: 'port list',
    summary: 'List the ports of a switch',
    description:
      'With traffic, errors, neighbours and customers, as last read. `search` matches names, neighbours, servers and customers; `errors` lists only ports with errors or discards in the last day. Pass the last `index` as `after` for the next page.',
    params: {
      switch: p.Text({ max: 64 }),
      search: p.optional(p.Text({ max: 100 })),
      errors: p.optional(p.Flag),
      ...p.pageAfter(p.Whole(0, 2_147_483_647)),
    },
    result: Type.Array(SwitchPort),
  }),
} as const;
