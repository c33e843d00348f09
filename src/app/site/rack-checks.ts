// Checks rack positions, cabling and identities: a rack unit holds one device, a port leads to one server and belongs to
// one service, and addresses and serial numbers are unique.
import type { Site } from '#contract/site/site.ts';
import { rackHeight } from '#contract/site/racks.ts';
import { addressText } from '#lib/addresses.ts';
import { siteKeys } from './port-keys.ts';
import { createDuplicateCheck, type SiteProblem, type SitePath } from './site-problem.ts';

export interface Mount {
  readonly kind: 'server' | 'switch' | 'node';
  readonly name: string;
  readonly rack: string;
  readonly unit: number;
  readonly height: number;
}

interface RackPosition {
  readonly name: string;
  readonly rack?: string;
  readonly unit?: number;
  readonly height?: number;
}

/** Yields the position of each mounted device with its path in the file. */
export function* listMounts({ servers = [], switches = [], nodes = [] }: Site): Iterable<[SitePath, Mount]> {
  const kinds = { servers: ['server', servers], switches: ['switch', switches], nodes: ['node', nodes] } as const;
  for (const [list, [kind, devices]] of Object.entries(kinds)) {
    for (const [index, { name: siteName, rack, unit, height = 1 }] of (devices as readonly RackPosition[]).entries()) {
      const name = kind === 'server' ? siteName.toLowerCase() : siteName;
      if (rack !== undefined && unit !== undefined) yield [[list, index], { kind, name, rack, unit, height }];
    }
  }
}

/** Yields each mount that shares units with an earlier one, and that one. */
export function* overlappingMounts<M extends Mount>(mounts: Iterable<M>): Iterable<{ mount: M; other: M }> {
  const racks = new Map<string, M[]>();
  for (const mount of mounts) {
    const rack = racks.get(mount.rack) ?? [];
    racks.set(mount.rack, rack);
    const other = rack.find(({ unit, height }) => mount.unit < unit + height && unit < mount.unit + mount.height);
    if (other !== undefined) yield { mount, other };
    rack.push(mount);
  }
}

export function* checkRacks(site: Site): Iterable<SiteProblem> {
  const heights = new Map<string, number>();
  for (const [index, { name, height = rackHeight }] of (site.racks ?? []).entries()) {
    if (heights.has(name))
      yield [['racks', index, 'name'], `rack ${name} is defined twice; give each rack its own name`];
    heights.set(name, height);
  }
  for (const list of ['servers', 'switches', 'nodes'] as const) {
    for (const [index, { rack, unit, height }] of ((site[list] ?? []) as readonly RackPosition[]).entries()) {
      if ((rack === undefined) !== (unit === undefined))
        yield [[list, index], 'rack and unit go together; add the missing one'];
      else if (rack === undefined && height !== undefined)
        yield [[list, index, 'height'], 'height needs rack and unit'];
    }
  }
  const mounts = [...listMounts(site)].map(([path, mount]) => ({ ...mount, path }));
  for (const { path, ...mount } of mounts) {
    const height = heights.get(mount.rack);
    if (height === undefined) yield [[...path, 'rack'], `unknown rack ${mount.rack}; add it under racks`];
    else if (mount.unit + mount.height - 1 > height)
      yield [[...path, 'unit'], `rack ${mount.rack} has only ${height} units`];
  }
  for (const { mount, other } of overlappingMounts(mounts))
    yield [
      [...mount.path, 'unit'],
      `unit ${mount.unit} of rack ${mount.rack} is occupied by ${other.kind} ${other.name}`,
    ];
}

export function* checkPorts({ servers = [], switches = [], services = [] }: Site): Iterable<SiteProblem> {
  const serviceIds = new Set(services.map(({ id }) => id));
  const serviceOf = new Map(services.map(({ id, server }) => [server?.toLowerCase(), id]));
  const owners = new Map<string, number | undefined>();
  const keys = new Map<string, string>();
  const keyOwners = new Map<string, string>();
  function* checkKey(path: SitePath, port: string, name: string, entry: object): Iterable<SiteProblem> {
    const [key, other] = siteKeys(entry);
    if (other !== undefined)
      yield [[...path, other.key_by!], `port ${port} already has a ${key!.key_by}; give only one of them`];
    if (key === undefined) return;
    const text = `${key.key_by} ${key.key}`;
    if ((keys.get(port) ?? text) !== text)
      yield [[...path, key.key_by!], `port ${port} also has the ${keys.get(port)}; give only one of them`];
    const owner = keyOwners.get(`${text} of ${name}`) ?? port;
    if (owner !== port) yield [[...path, key.key_by!], `${text} is also used for port ${owner}`];
    keys.set(port, text);
    keyOwners.set(`${text} of ${name}`, port);
  }
  for (const [index, { name, ports = [] }] of switches.entries()) {
    for (const [position, { ifIndex, service, ...entry }] of ports.entries()) {
      const path = ['switches', index, 'ports', position];
      const port = `${ifIndex} of ${name}`;
      yield* checkKey(path, port, name, entry);
      if (owners.has(port)) yield [[...path, 'ifIndex'], `port ${port} is listed twice; list each port once`];
      owners.set(port, service);
      if (service !== undefined && !serviceIds.has(service))
        yield [[...path, 'service'], `unknown service ${service}; add it under services`];
    }
  }
  const names = new Set(switches.map(({ name }) => name));
  const wired = new Map<string, string>();
  for (const [index, { name, ports = [] }] of servers.entries()) {
    for (const [position, { switch: switchName, ifIndex, ...entry }] of ports.entries()) {
      const path = ['servers', index, 'ports', position];
      const port = `${ifIndex} of ${switchName}`;
      yield* checkKey(path, port, switchName, entry);
      if (!names.has(switchName)) yield [[...path, 'switch'], `unknown switch ${switchName}; add it under switches`];
      if (wired.has(port)) yield [[...path, 'ifIndex'], `port ${port} already leads to ${wired.get(port)}`];
      wired.set(port, name);
      const service = serviceOf.get(name.toLowerCase());
      const owner = owners.get(port);
      if (owner !== undefined && owner !== service)
        yield [[...path, 'ifIndex'], `port ${port} belongs to service ${owner}, which does not have server ${name}`];
    }
  }
}

/** Addresses of BMCs and switches and serial numbers of servers are unique. */
export function* checkIdentities({ servers = [], switches = [] }: Site): Iterable<SiteProblem> {
  const isDuplicate = createDuplicateCheck();
  const devices: readonly (readonly [SitePath, DeviceSettings])[] = [
    ...switches.map(({ settings }, index) => [['switches', index, 'settings'], settings] as const),
    ...servers.map(({ bmc }, index) => [['servers', index, 'bmc', 'settings'], bmc.settings] as const),
  ];
  for (const [path, settings] of devices) {
    const address = deviceAddress(settings);
    if (isDuplicate('address', address))
      yield [[...path, 'address'], `${address} is used twice; each device needs its own`];
  }
  const serials = new Map<string, string>();
  for (const [index, { name, serial }] of servers.entries()) {
    if (serial === undefined) continue;
    const other = serials.get(serial);
    if (other !== undefined)
      yield [['servers', index, 'serial'], `serial ${serial} is also used for ${other}; serial numbers must be unique`];
    serials.set(serial, name);
  }
}

type DeviceSettings = Readonly<Record<string, unknown>>;

/** Returns the address of a BMC or switch, with its port if the settings have one. */
export function deviceAddress({ address, port }: DeviceSettings): string | undefined {
  if (typeof address !== 'string') return undefined;
  const text = addressText(address) ?? address.toLowerCase();
  return port === undefined ? `address ${text}` : `address ${text} with port ${String(port)}`;
}
