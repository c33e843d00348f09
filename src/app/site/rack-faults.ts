// What can be wrong with where equipment stands and how it is wired, beyond its shape: a unit holds one thing, a port leads to
// one server and belongs to one service, a controller answers for one server, a serial number is on one case.
import type { Site } from '#contract/site.ts';
import { rackHeight } from '#contract/site-racks.ts';
import { addressText } from '#kernel/addresses.ts';
import type { PlacedFault, SitePath } from './placed-fault.ts';

export interface Mounted {
  readonly kind: 'server' | 'switch' | 'node';
  readonly name: string;
  readonly rack: string;
  readonly unit: number;
  readonly height: number;
}

interface Placed {
  readonly name: string;
  readonly rack?: string;
  readonly unit?: number;
  readonly height?: number;
}

/** All that stands in a rack, with its path in the file. */
export function* mountsOf({ servers = [], switches = [], nodes = [] }: Site): Iterable<[SitePath, Mounted]> {
  const kinds = { servers: ['server', servers], switches: ['switch', switches], nodes: ['node', nodes] } as const;
  for (const [list, [kind, things]] of Object.entries(kinds)) {
    for (const [index, { name: given, rack, unit, height = 1 }] of (things as readonly Placed[]).entries()) {
      const name = kind === 'server' ? given.toLowerCase() : given;
      if (rack !== undefined && unit !== undefined) yield [[list, index], { kind, name, rack, unit, height }];
    }
  }
}

export function shareUnits(one: Mounted, other: Mounted): boolean {
  return (
    one.rack === other.rack &&
    one.unit < other.unit + other.height &&
    other.unit < one.unit + one.height &&
    one !== other
  );
}

export function* rackFaults(site: Site): Iterable<PlacedFault> {
  const heights = new Map<string, number>();
  for (const [index, { name, height = rackHeight }] of (site.racks ?? []).entries()) {
    if (heights.has(name)) yield [['racks', index, 'name'], `rack ${name} is there twice`];
    heights.set(name, height);
  }
  for (const list of ['servers', 'switches', 'nodes'] as const) {
    for (const [index, { rack, unit, height }] of ((site[list] ?? []) as readonly Placed[]).entries()) {
      if ((rack === undefined) !== (unit === undefined)) yield [[list, index], 'rack and unit go together'];
      else if (rack === undefined && height !== undefined) yield [[list, index, 'height'], 'height needs a rack'];
    }
  }
  const placed: Mounted[] = [];
  for (const [path, mount] of mountsOf(site)) {
    const height = heights.get(mount.rack);
    if (height === undefined) yield [[...path, 'rack'], `there is no rack ${mount.rack}`];
    else if (mount.unit + mount.height - 1 > height)
      yield [[...path, 'unit'], `rack ${mount.rack} has ${height} units`];
    const other = placed.find((one) => shareUnits(one, mount));
    if (other !== undefined)
      yield [[...path, 'unit'], `unit ${mount.unit} of rack ${mount.rack} is taken by ${other.kind} ${other.name}`];
    placed.push(mount);
  }
}

export function* portFaults({ servers = [], switches = [], services = [] }: Site): Iterable<PlacedFault> {
  const serviceIds = new Set(services.map(({ id }) => id));
  const serviceOf = new Map(services.map(({ id, server }) => [server?.toLowerCase(), id]));
  const owners = new Map<string, number | undefined>();
  const controllers = new Set<string>();
  for (const [index, { name, settings, ports = [] }] of switches.entries()) {
    const place = placeOf(settings, controllers);
    if (place !== undefined) yield [['switches', index, 'settings', 'address'], `${place} is there twice`];
    for (const [position, { ifIndex, service }] of ports.entries()) {
      const path = ['switches', index, 'ports', position];
      const port = `${ifIndex} of ${name}`;
      if (owners.has(port)) yield [[...path, 'ifIndex'], `port ${port} is there twice`];
      owners.set(port, service);
      if (service !== undefined && !serviceIds.has(service))
        yield [[...path, 'service'], `there is no service ${service}`];
    }
  }
  const names = new Set(switches.map(({ name }) => name));
  const wired = new Map<string, string>();
  const serials = new Map<string, string>();
  for (const [index, { name, bmc, serial, ports = [] }] of servers.entries()) {
    const place = placeOf(bmc.settings, controllers);
    if (place !== undefined) yield [['servers', index, 'bmc', 'settings', 'address'], `${place} is there twice`];
    if (serial !== undefined && serials.has(serial))
      yield [['servers', index, 'serial'], `serial ${serial} is that of ${serials.get(serial)} too`];
    if (serial !== undefined) serials.set(serial, name);
    for (const [position, { switch: of, ifIndex }] of ports.entries()) {
      const path = ['servers', index, 'ports', position];
      const port = `${ifIndex} of ${of}`;
      if (!names.has(of)) yield [[...path, 'switch'], `there is no switch ${of}`];
      if (wired.has(port)) yield [[...path, 'ifIndex'], `port ${port} leads to ${wired.get(port)} already`];
      wired.set(port, name);
      const service = serviceOf.get(name.toLowerCase());
      const owner = owners.get(port);
      if (owner !== undefined && owner !== service)
        yield [[...path, 'ifIndex'], `port ${port} is that of service ${owner}, which does not have ${name}`];
    }
  }
}

/** Where a controller or a switch is reached, if something else in the file is reached there too. */
function placeOf(settings: Readonly<Record<string, unknown>>, seen: Set<string>): string | undefined {
  const { address, port } = settings;
  if (typeof address !== 'string') return undefined;
  const shown = addressText(address) ?? address.toLowerCase();
  const place = `${shown} ${String(port ?? '')}`;
  const isTwice = seen.has(place);
  seen.add(place);
  return isTwice ? `address ${shown}${port === undefined ? '' : ` with port ${String(port)}`}` : undefined;
}
