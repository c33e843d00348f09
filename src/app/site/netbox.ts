// A site file out of what NetBox exports as JSON: racks, servers with their controllers and wires, switches, prefixes. NetBox
// knows no passwords, no customers and no prices: secrets become references, and whatever has no place in a site file is named.
import { stringify } from 'yaml';
import { Check } from 'typebox/value';
import { ServerName } from '#contract/parameters.ts';
import type { Site, SiteServer, SiteSwitch } from '#contract/site.ts';
import { parseNetwork } from '#kernel/addresses.ts';
import { networkText } from '#kernel/address-ranges.ts';
import { endsOf, kindOf, objectsIn, type NetboxObject } from './netbox-objects.ts';

export interface NetboxProvider {
  readonly name: string;
  readonly currency: string;
}
export interface NetboxImport {
  readonly text: string;
  /** Each thing that has no place in the file, and why. */
  readonly leftOut: readonly string[];
}

interface Export {
  readonly of: (kind: string) => readonly NetboxObject[];
  readonly interfaces: ReadonlyMap<number, NetboxObject>;
  readonly leaveOut: (thing: string, why: string) => void;
}

const heading = `# Made of NetBox's data. The secrets are expected in the environment: BMC_USERNAME, BMC_PASSWORD, SNMP_COMMUNITY.
`;

export function netboxSite(
  files: readonly (readonly [name: string, text: string])[],
  provider: NetboxProvider,
): NetboxImport {
  const leftOut: string[] = [];
  const leaveOut = (thing: string, why: string) => void leftOut.push(`${thing}: ${why}`);
  const byKind = Map.groupBy(
    files.flatMap(([name, text]) => objectsIn(name, text)),
    kindOf,
  );
  const of = (kind: string) => byKind.get(kind) ?? [];
  const interfaces = new Map(of('interface').map((each) => [each.id, each]));
  for (const object of of(''))
    leaveOut(object.display ?? `object ${object.id}`, 'of a kind that a site file does not have');
  const from: Export = { of, interfaces, leaveOut };
  const devices = Map.groupBy(of('device'), roleOf);
  for (const device of devices.get('other') ?? [])
    leaveOut(
      `device ${device.name}`,
      `its role ${(device.role ?? device.device_role)?.name ?? 'is unknown'} is neither server nor switch`,
    );
  const switches = (devices.get('switch') ?? []).flatMap((device) => switchOf(from, device));
  const servers = (devices.get('server') ?? []).flatMap((device) => serverOf(from, device));
  const wired = wires(from, servers, new Set(switches.map(({ name }) => name)));
  const racks = of('rack').map(({ name, u_height: height, site, location }) => ({
    name: name!,
    ...(height == null || height === 42 ? {} : { height }),
    ...placeText(site?.name, location?.name),
  }));
  const site: Site = {
    provider: { name: provider.name, currency: { code: provider.currency } },
    racks,
    switches,
    servers: servers.map((server) => ({ ...server, ...wired.get(server.name) })),
    netblocks: netblocksOf(from),
  };
  const used = new Set(
    [...switches.map(({ settings }) => settings), ...servers.map(({ bmc }) => bmc.settings)].map(
      ({ address }) => address,
    ),
  );
  for (const { address = '' } of of('ip-address'))
    if (!used.has(address.split('/')[0]))
      leaveOut(`address ${address}`, 'addresses belong to services, which NetBox does not have');
  return { text: `${heading}${stringify(site, { lineWidth: 0 })}`, leftOut };
}

function roleOf({ role, device_role }: NetboxObject): 'server' | 'switch' | 'other' {
  const slug = (role ?? device_role)?.slug ?? '';
  if (slug.includes('server')) return 'server';
  return /switch|access|tor|leaf/.test(slug) ? 'switch' : 'other';
}

function placeText(...names: readonly (string | undefined)[]): { place?: string } {
  const place = names.filter((name) => name != null && name !== '').join(', ');
  return place === '' ? {} : { place };
}

function serverOf(from: Export, device: NetboxObject): SiteServer[] {
  const { name = '', serial } = device;
  if (!Check(ServerName, name)) {
    from.leaveOut(`device ${name}`, `its name ${(ServerName as { 'x-reason'?: string })['x-reason']}`);
    return [];
  }
  const address = controllerOf(from, device);
  if (address === undefined) {
    from.leaveOut(`device ${name}`, 'it has no out-of-band address, so nothing can reach its controller');
    return [];
  }
  const settings = { address, username: { env: 'BMC_USERNAME' }, password: { env: 'BMC_PASSWORD' } };
  const macs = ofDevice(from, device)
    .filter(({ mgmt_only }) => mgmt_only !== true)
    .flatMap(({ mac_address: mac }) => (mac == null || mac === '' ? [] : [mac.toLowerCase()]));
  return [
    {
      name,
      bmc: { driver: 'ipmi', settings },
      ...(serial == null || serial === '' ? {} : { serial }),
      ...mountOf(from, device),
      ...(macs.length === 0 ? {} : { macs }),
    },
  ];
}

/** The out-of-band address, or that of an interface which is for management only. */
function controllerOf({ of, interfaces }: Export, { id, oob_ip }: NetboxObject): string | undefined {
  const managed = of('ip-address').find(({ assigned_object }) => {
    const held = interfaces.get(assigned_object?.id ?? -1);
    return held?.mgmt_only === true && held.device?.id === id;
  });
  return (oob_ip?.address ?? managed?.address)?.split('/')[0];
}

function ofDevice({ of }: Export, { id }: NetboxObject): NetboxObject[] {
  return of('interface').filter(({ device }) => device?.id === id);
}

function mountOf({ leaveOut, of }: Export, { name, rack, position, device_type }: NetboxObject) {
  if (rack == null) return {};
  if (position == null || !Number.isInteger(position) || !of('rack').some((each) => each.name === rack.name)) {
    leaveOut(
      `place of device ${name}`,
      position == null ? 'it has no position in its rack' : `rack ${rack.name} or a whole unit of it is not there`,
    );
    return {};
  }
  const height = device_type?.u_height ?? 1;
  return { rack: rack.name!, unit: position, ...(height <= 1 ? {} : { height: Math.ceil(height) }) };
}

function switchOf(from: Export, device: NetboxObject): SiteSwitch[] {
  const { name = '', primary_ip, primary_ip4 } = device;
  const address = (primary_ip ?? primary_ip4)?.address?.split('/')[0];
  if (address === undefined) {
    from.leaveOut(`device ${name}`, 'it has no primary address, so nothing can read it');
    return [];
  }
  const settings = { version: '2c', address, community: { env: 'SNMP_COMMUNITY' } };
  return [{ name, driver: 'snmp', settings, ...mountOf(from, device) }];
}

/** Cables between a server and a port whose ifIndex is known: NetBox has it only in a custom field. */
function wires(
  from: Export,
  servers: readonly SiteServer[],
  switches: ReadonlySet<string>,
): Map<string, Pick<SiteServer, 'ports'>> {
  const found = new Map<string, { switch: string; ifIndex: number }[]>();
  const names = new Set(servers.map(({ name }) => name));
  for (const cable of from.of('cable')) {
    const ends = endsOf(cable).map((id) => from.interfaces.get(id));
    const server = ends.find((end) => names.has(end?.device?.name ?? ''));
    const port = ends.find((end) => switches.has(end?.device?.name ?? ''));
    const thing = `cable ${cable.label || cable.display || cable.id}`;
    if (server === undefined || port === undefined) {
      from.leaveOut(thing, 'it does not join a server and a switch of this file');
      continue;
    }
    const ifIndex = port.custom_fields?.['ifindex'] ?? port.custom_fields?.['snmp_index'];
    if (typeof ifIndex !== 'number') {
      from.leaveOut(thing, `${port.device!.name} ${port.name} has no custom field ifindex`);
      continue;
    }
    const list = found.get(server.device!.name!) ?? [];
    found.set(server.device!.name!, [...list, { switch: port.device!.name!, ifIndex }]);
  }
  return new Map([...found].map(([name, ports]) => [name, { ports }]));
}

function netblocksOf({ of, leaveOut }: Export): NonNullable<Site['netblocks']> {
  const seen = new Set<string>();
  return of('prefix').flatMap(({ prefix = '', status, is_pool, vrf }) => {
    const network = parseNetwork(prefix);
    const cidr = network && networkText(network);
    const why =
      vrf != null
        ? 'a site file knows no VRF'
        : status?.value !== 'active'
          ? `it is ${status?.label?.toLowerCase() ?? 'without a status'}`
          : cidr === undefined || seen.has(cidr)
            ? 'it is there twice, or no network'
            : undefined;
    if (why !== undefined || cidr === undefined) {
      leaveOut(`prefix ${prefix}`, why ?? '');
      return [];
    }
    seen.add(cidr);
    return [{ cidr, ...(is_pool === true ? { pool: 'ask' as const } : {}) }];
  });
}
