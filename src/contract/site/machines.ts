// The site file's part about virtual machines: hypervisors, templates, VNC access, and the size of each machine.
import { Type, type Static } from 'typebox';
import * as p from '../parameters.ts';
import { rackPlace } from './racks.ts';
import { DriverSettings } from './secrets.ts';

export const SiteNode = p.StrictObject({
  name: p.Text({ max: 64 }),
  /** Decides whether it runs full machines (Xen), containers (OpenVZ) or both. */
  driver: p.Text({ max: 32 }),
  settings: DriverSettings('hypervisor'),
  ...rackPlace,
  /** The DNS resolvers of new systems on it. */
  nameServers: Type.Optional(Type.Array(p.IpAddress, { maxItems: 8, 'x-reason': 'must be at most 8 addresses' })),
});

export const SiteTemplate = p.StrictObject({
  /** Shown to and sent by customers. */
  name: p.Text({ max: 64 }),
  value: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    'x-reason': 'must be letters, digits, dots, hyphens and underscores, at most 64',
  }),
  type: p.Choice('Xen', 'OpenVZ'),
  /** The hypervisors' name for it: a volume, file or image alias. */
  source: p.Text({ max: 255 }),
});

/** For a vps or cloud service. A machine named vm-<vmid> that exists on a hypervisor already is adopted unchanged. */
export const SiteMachine = p.StrictObject({
  vcpus: p.Whole(1, 1024),
  memoryMb: p.Whole(16, 16_777_216),
  diskGb: p.Whole(1, 1_048_576),
  /** Traffic allowance per calendar month. */
  bandwidthGb: p.Whole(1, 1_000_000_000),
  /** The template of its first system. */
  template: p.Text({ max: 64 }),
  /** By default the hypervisor where it fits best. */
  node: Type.Optional(p.Text({ max: 64 })),
});

/** Listen address of the VNC proxy, and the host name and port that customers use. */
export const SiteScreens = p.StrictObject({
  listen: Type.Optional(p.ListenAddress),
  host: Type.Optional(p.Text({ max: 253 })),
  port: Type.Optional(p.Whole(1, 65_535)),
});

export type SiteNode = Static<typeof SiteNode>;
export type SiteTemplate = Static<typeof SiteTemplate>;
export type SiteMachine = Static<typeof SiteMachine>;
export type SiteScreens = Static<typeof SiteScreens>;
