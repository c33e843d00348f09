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
  /** Shown to customers, who can choose it for a new machine: a city or data centre. Hypervisors can share one. */
  location: Type.Optional(p.Text({ max: 64 })),
  /** The DNS resolvers of new systems on it. */
  nameServers: Type.Optional(Type.Array(p.IpAddress, { maxItems: 8, 'x-reason': 'must be at most 8 addresses' })),
});

export const SiteTemplate = p.StrictObject({
  /** Shown to and sent by customers. */
  name: p.Text({ max: 64 }),
  value: p.Matching(
    '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
    'must be letters, digits, dots, hyphens and underscores, at most 64',
  ),
  type: p.Choice('Xen', 'OpenVZ'),
  /** The hypervisors' name for it: a volume, file or image alias. */
  source: p.Text({ max: 255 }),
  /** Whether its systems run cloud-init, and so take user data; by default those of the type Xen do. */
  cloudInit: Type.Optional(Type.Boolean()),
  /** What its systems need of a machine of type Xen: BIOS without secure boot and TPM by default. */
  firmware: Type.Optional(p.Choice('bios', 'uefi')),
  secureBoot: Type.Optional(Type.Boolean()),
  tpm: Type.Optional(Type.Boolean()),
});

/** As libvirt and LXD allow it. */
export const HypervisorMachineName = p.Matching(
  '^[^/\\s\\x00-\\x1f\\x7f][^/\\x00-\\x1f\\x7f]{0,127}$',
  'must be the name of a machine on its hypervisor',
);

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
  /** Its name on `node`, for a machine that was there before Hostyard. Such a machine is adopted, never created. */
  adopt: Type.Optional(HypervisorMachineName),
  /** Whether a machine may only use the addresses of its service; true by default. */
  filter: Type.Optional(Type.Boolean()),
});

/** What customers get if they order a machine on a plan by themselves. */
export const PlanMachine = p.StrictObject({
  vcpus: p.Whole(1, 1024),
  memoryMb: p.Whole(16, 16_777_216),
  diskGb: p.Whole(1, 1_048_576),
  /** Traffic allowance per calendar month; none by default. */
  bandwidthGb: Type.Optional(p.Whole(1, 1_000_000_000)),
  /** The type of its systems; any by default. */
  type: Type.Optional(p.Choice('Xen', 'OpenVZ')),
  /** Size of the block of addresses that a machine gets; /30 by default. */
  addresses: Type.Optional(p.AddressSize),
  /** Whether customers can order it; false by default. */
  order: Type.Optional(Type.Boolean()),
});

/** Limits of what customers order by themselves. */
export const SiteOrders = p.StrictObject({
  /** Virtual machines of an account, from whatever source; 10 by default. Staff can provision more. */
  machines: Type.Optional(p.Whole(0, 100_000)),
  /** Snapshots of a machine; 5 by default. */
  snapshots: Type.Optional(p.Whole(0, 100)),
  /** Images of an account; 10 by default. */
  images: Type.Optional(p.Whole(0, 1000)),
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
export type PlanMachine = Static<typeof PlanMachine>;
export type SiteScreens = Static<typeof SiteScreens>;
