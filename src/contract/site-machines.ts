// What the site file says of virtual machines: the nodes that run them, the systems that they can be given, where customers
// reach their screens, and the shape of each machine.
import { Type, type Static } from 'typebox';
import * as p from './parameters.ts';
import { rackPlace } from './site-racks.ts';
import { DriverSettings } from './site-secrets.ts';

const closed = { additionalProperties: false };

export const SiteNode = Type.Object(
  {
    name: p.Text({ max: 64 }),
    /** Decides whether it runs full machines (Xen), containers (OpenVZ) or both. */
    driver: p.Text({ max: 32 }),
    settings: DriverSettings('hypervisor'),
    ...rackPlace,
    /** The resolvers that new systems on it are told. */
    nameServers: Type.Optional(Type.Array(p.IpAddress, { maxItems: 8, 'x-reason': 'must be at most 8 addresses' })),
  },
  closed,
);

export const SiteTemplate = Type.Object(
  {
    /** What customers read, and what they send. */
    name: p.Text({ max: 64 }),
    value: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      'x-reason': 'must be letters, digits, dots, hyphens and underscores, at most 64',
    }),
    type: p.Choice('Xen', 'OpenVZ'),
    /** What the nodes call it: a volume, a file or an image alias. */
    source: p.Text({ max: 255 }),
  },
  closed,
);

/** Of a vps or cloud service. A machine named vm-<vmid> that a node has already is taken over as it is. */
export const SiteMachine = Type.Object(
  {
    vcpus: p.Whole(1, 1024),
    memoryMb: p.Whole(16, 16_777_216),
    diskGb: p.Whole(1, 1_048_576),
    /** What it may move in a calendar month. */
    bandwidthGb: p.Whole(1, 1_000_000_000),
    /** The value of the template of its first system. */
    template: p.Text({ max: 64 }),
    /** Left out: the node where it fits best. */
    node: Type.Optional(p.Text({ max: 64 })),
  },
  closed,
);

/** Where the proxy of screens listens, and under which name and port customers reach it. */
export const SiteScreens = Type.Object(
  {
    listen: Type.Optional(p.ListenAddress),
    host: Type.Optional(p.Text({ max: 253 })),
    port: Type.Optional(p.Whole(1, 65_535)),
  },
  closed,
);

export type SiteNode = Static<typeof SiteNode>;
export type SiteTemplate = Static<typeof SiteTemplate>;
export type SiteMachine = Static<typeof SiteMachine>;
export type SiteScreens = Static<typeof SiteScreens>;
