// The operator's side: all that the provider has, at a glance. What does not answer or waits for a person, racks with what stands
// in them, and the plan of addresses.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';

const text = Type.String();
const count = Type.String({ description: 'How many' });
const moment = Type.String({ description: 'Moment in UTC; empty where it has not come' });
const kinds = ['server', 'switch', 'node'] as const;
const seeing = { tag: 'fleet', access: 'operator:read', addition: true } as const;

export const Fleet = Type.Object({
  equipment: Type.Array(Type.Object({ kind: Type.Enum(kinds), total: count, silent: count })),
  silent: Type.Array(
    Type.Object({
      kind: Type.Enum(kinds),
      name: text,
      error: Type.String({ description: 'What stood in the way of the last look' }),
      seen: Type.String({ description: 'When it last answered; empty: never' }),
    }),
    { description: 'What did not answer when it was last looked at; a hundred of each kind at most' },
  ),
  drift: Type.Array(
    Type.Object({ kind: Type.Enum(['machine', 'null-route', 'zone']), name: text, wanted: text, seen: text }),
    { description: 'Where the world is not yet as it is wanted' },
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
  reconcilers: Type.Array(
    Type.Object({
      name: text,
      state: Type.Enum(['well', 'failed', 'late'], { description: 'late: it did not run when it was due' }),
      error: text,
      succeeded: moment,
      backlog: Type.String({ description: 'What its last run left for the next' }),
    }),
  ),
  workflows: Type.Array(Type.Object({ status: text, count }), { description: 'Those under way' }),
  failedjobs: count,
  addressrequests: count,
  licenceorders: count,
  backup: Type.String({ description: 'When the last was taken; empty: never' }),
});

export const Rack = Type.Object({
  name: text,
  height: Type.String({ description: 'In units' }),
  place: text,
  mounts: Type.Array(
    Type.Object({
      kind: Type.Enum(kinds),
      name: text,
      unit: Type.String({ description: 'The lowest that it takes, counted from 1 at the bottom' }),
      height: Type.String({ description: 'In units' }),
      state: Type.Enum(['on', 'off', 'answers', 'silent', 'unseen'], {
        description: 'A server is on or off; unseen: it was not looked at yet',
      }),
      error: text,
      seen: moment,
    }),
    { description: 'From the bottom up' },
  ),
});

export const OperatorNetblock = Type.Object({
  cidr: text,
  within: Type.String({ description: 'The smallest block around it; empty for none' }),
  account: Type.String({ description: 'Who has it; empty for a block of the provider’s own' }),
  service: text,
  pool: Type.Enum(['', 'assign', 'ask'], { description: 'Whether customers get of it at once, or have to ask' }),
  origin: Type.Enum(['site', 'request'], { description: 'Said by the site file, or given by us' }),
  gateway: text,
  used: Type.String({ description: 'Percent of its addresses that somebody has, with two decimals' }),
  free: Type.String({ description: 'The largest free block, such as /24; empty where nothing is free' }),
});

export const fleetOperator = {
  fleetGet: endpoint({
    ...seeing,
    method: 'GET',
    path: '/operator/fleet',
    command: 'fleet get',
    summary: 'What does not answer, what is not as it is wanted, and what waits for a person',
    description: 'As last seen: nothing is asked of the equipment for it.',
    params: {},
    result: Fleet,
  }),
  rackList: endpoint({
    ...seeing,
    method: 'GET',
    path: '/operator/rack',
    command: 'rack list',
    summary: 'Racks, with what stands in them and how it does',
    params: {},
    result: Type.Array(Rack),
  }),
  netblockList: endpoint({
    ...seeing,
    method: 'GET',
    path: '/operator/netblock',
    command: 'netblock list',
    summary:
      'The plan of addresses, a page at a time: the provider’s blocks, who has what of them, and how full they are',
    description:
      'In the order of addresses, a block before what is in it. `after` is the last block of the page before.',
    params: { limit: p.optional(p.Whole(1, 1000)), after: p.optional(p.Cidr) },
    result: Type.Array(OperatorNetblock),
  }),
} as const;
