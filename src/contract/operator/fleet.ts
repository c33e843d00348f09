// Operator API: an overview of all equipment, racks and address blocks, with everything that needs attention.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Fault } from '../shapes/sensors.ts';
import { reclaimStepNames } from '../states/servers.ts';
import { described, text } from '../shapes/text.ts';

const count = described('Number');
const moment = described('Time in UTC; empty if never');
const kinds = ['server', 'switch', 'node'] as const;
const readEndpoint = { method: 'GET', tag: 'fleet', access: 'operator:read' } as const;

export const Fleet = Type.Object({
  equipment: Type.Array(Type.Object({ kind: Type.Enum(kinds), total: count, silent: count })),
  silent: Type.Array(
    Type.Object({
      kind: Type.Enum(kinds),
      name: text,
      error: described('Error of the last check'),
      seen: described('When it last responded; empty if never'),
    }),
    { description: 'Equipment that did not respond to the last check; at most a hundred of each kind' },
  ),
  drift: Type.Array(
    Type.Object({ kind: Type.Enum(['machine', 'null-route', 'zone', 'port']), name: text, wanted: text, seen: text }),
    { description: 'Differences between the actual and the configured state' },
  ),
  held: Type.Array(
    Type.Object({
      device: text,
      kind: Type.Enum(['locked', 'maintenance']),
      reason: text,
      operator: text,
      since: moment,
    }),
  ),
  quarantined: Type.Array(
    Type.Object({
      server: text,
      step: Type.Enum([...reclaimStepNames], { description: 'The step that failed' }),
      reason: text,
      since: described('When its last service ended'),
    }),
    { description: 'Servers that cannot be assigned, because they could not be erased or verified' },
  ),
  faults: Type.Array(Type.Interface([Fault], { server: text }), {
    description: 'Parts of servers that are broken or about to break; at most a hundred',
  }),
  reconcilers: Type.Array(
    Type.Object({
      name: text,
      state: Type.Enum(['well', 'failed', 'late'], { description: 'late: it did not run when it was due' }),
      error: text,
      succeeded: moment,
      backlog: described('Items that its last run left pending'),
    }),
  ),
  workflows: Type.Array(Type.Object({ status: text, count }), { description: 'Running workflows' }),
  failedjobs: count,
  addressrequests: count,
  licenceorders: count,
  backup: described('When the last backup was made; empty if never'),
});

export const Rack = Type.Object({
  name: text,
  height: described('In rack units'),
  place: text,
  mounts: Type.Array(
    Type.Object({
      kind: Type.Enum(kinds),
      name: text,
      unit: described('Lowest unit, counted from 1 at the bottom'),
      height: described('In rack units'),
      state: Type.Enum(['on', 'off', 'answers', 'silent', 'unseen'], {
        description: 'A server is on or off; unseen: not checked yet',
      }),
      error: text,
      seen: moment,
    }),
    { description: 'Equipment from the bottom up' },
  ),
  servers: described('Number of servers in it'),
  power: Type.Object(
    { watts: described('Sum over the servers that report it; empty if none do'), reporting: count },
    { description: 'From the sensors of servers; covers the whole rack only if all servers report it' },
  ),
  inlet: Type.Object(
    { max: text, median: text, reporting: count },
    { description: 'Inlet air temperature of the servers in degrees Celsius; empty if no server reports it' },
  ),
});

export const OperatorNetblock = Type.Object({
  cidr: text,
  within: described('The smallest block that contains it; empty if none'),
  account: described('Who it is assigned to; empty for the provider’s own blocks'),
  service: text,
  pool: Type.Enum(['', 'assign', 'ask'], {
    description: 'Whether customers get addresses immediately or only after approval',
  }),
  origin: Type.Enum(['site', 'request'], { description: 'From the site file, or assigned on request' }),
  gateway: text,
  used: described('Percentage of its addresses in use, with two decimals'),
  free: described('The largest free block, such as /24; empty if none is free'),
});

export const Installation = Type.Object({
  time: described('The clock of the installation, in UTC'),
  billing: Type.Enum(['running', 'paused'], { description: 'paused: the clock has jumped; see `billing resume`' }),
  lasttime: described('While billing is paused: the last time before the clock jumped'),
  sitefile: described('Why the last start could not apply its site file and uses an earlier state; otherwise empty'),
});

export const fleetOperator = {
  installationGet: endpoint({
    ...readEndpoint,
    path: '/operator/installation',
    command: 'installation get',
    summary: 'Get problems that affect the whole installation',
    result: Installation,
  }),
  fleetGet: endpoint({
    ...readEndpoint,
    path: '/operator/fleet',
    command: 'fleet get',
    summary: 'Get alerts and system health',
    description:
      'Equipment that does not respond, differences from the configured state, and pending decisions. Last known state; equipment is not contacted.',
    result: Fleet,
  }),
  rackList: endpoint({
    ...readEndpoint,
    path: '/operator/rack',
    command: 'rack list',
    summary: 'List racks and their equipment',
    description: 'Ordered by name. Pass the last rack as `after` for the next page.',
    params: p.pageAfter(p.Text({ max: 100 })),
    result: Type.Array(Rack),
  }),
  netblockList: endpoint({
    ...readEndpoint,
    path: '/operator/netblock',
    command: 'netblock list',
    summary: 'List address blocks',
    description:
      'The provider’s blocks, their assignments and utilization. In address order, each block before those inside it. Pass the last block as `after` for the next page.',
    params: p.pageAfter(p.Cidr),
    result: Type.Array(OperatorNetblock),
  }),
  netblockRelease: endpoint({
    tag: 'fleet',
    access: 'operator:addresses',
    effect: 'stored',
    method: 'DELETE',
    path: '/operator/netblock',
    command: 'netblock release',
    summary: 'Take back an assigned block',
    description:
      'For blocks that customers requested: removes the routes and deletes the reverse DNS. The block is not assigned again for 30 days. To remove a block of the site file, edit the site file.',
    params: { netblock: p.Cidr },
    target: ['netblock'],
    result: Type.Literal('Netblock Released'),
    errors: ['state_conflict'],
  }),
} as const;
