// Converts a JSON export of NetBox to a site file: racks, servers with their BMCs and cables, switches, prefixes.
// NetBox has no passwords, customers or prices, so secrets become references, and everything that a site file cannot
// hold is reported.
import { stringify } from 'yaml';
import { Check } from 'typebox/value';
import { ServerName } from '#contract/parameters.ts';
import type { Site, SiteServer, SiteSwitch } from '#contract/site/site.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { pickDefined } from '#lib/defined.ts';
import { networkText } from '#lib/address-ranges.ts';
import { isReservedName } from '../servers/names.ts';
import { cableEnds, kindOf, readObjects, type NetboxObject } from './netbox-objects.ts';

export interface NetboxProvider {
  readonly name: string;
  readonly currency: string;
}
export interface NetboxImport {
  readonly text: string;
  /** Each object that was skipped, with the reason. */
  readonly skipped: readonly string[];
}

interface NetboxExport {
  readonly objectsOfKind: (kind: string) => readonly NetboxObject[];
  readonly interfaces: ReadonlyMap<number, NetboxObject>;
  readonly skip: (object: string, why: string) => void;
}

const heading = `# Imported from NetBox. Set these environment variables: BMC_USERNAME, BMC_PASSWORD, SNMP_COMMUNITY.
`;

export function importNetbox(
  files: readonly (readonly [name: string, text: string])[],
  provider: NetboxProvider,
): NetboxImport {
  const skipped: string[] = [];
  const skip = (object: string, why: string) => void skipped.push(`${object}: ${why}`);
  const byKind = Map.groupBy(readObjects(files), kindOf);
  const objectsOfKind = (kind: string) => byKind.get(kind) ?? [];
  const interfaces = new Map(objectsOfKind('interface').map((port) => [port.id, port]));
  for (const object of objectsOfKind(''))
    skip(object.display ?? `object ${object.id}`, 'site files do not support objects of this kind');
  const from: NetboxExport = { objectsOfKind, interfaces, skip };
  const devices = Map.groupBy(objectsOfKind('device'), roleOf);
  for (const { name, role, device_role } of devices.get('other') ?? [])
    skip(`device ${name}`, `its role ${(role ?? device_role)?.name ?? '(none)'} is neither server nor switch`);
  const switches = (devices.get('switch') ?? []).flatMap((device) => switchOf(from, device));
  const servers = (devices.get('server') ?? []).flatMap((device) => serverOf(from, device));
  const portsByServer = cabledPorts(from, servers, new Set(switches.map(({ name }) => name)));
  const racks = objectsOfKind('rack').map(({ name, u_height: height, site, location }) => ({
    name: name!,
    ...(height == null || height === 42 ? {} : { height }),
    ...placeText(site?.name, location?.name),
  }));
  const site: Site = {
    provider: { name: provider.name, currency: { code: provider.currency } },
    racks,
    switches,
    servers: servers.map((server) => ({ ...server, ...pickDefined({ ports: portsByServer.get(server.name) }) })),
    netblocks: netblocksOf(from),
  };
  const equipmentSettings = [...switches.map(({ settings }) => settings), ...servers.map(({ bmc }) => bmc.settings)];
  const managementAddresses = new Set(equipmentSettings.map(({ address }) => address));
  for (const { address = '' } of objectsOfKind('ip-address'))
    if (!managementAddresses.has(address.split('/')[0]))
      skip(`address ${address}`, 'addresses belong to services, which do not exist in NetBox');
  return { text: `${heading}${stringify(site, { lineWidth: 0 })}`, skipped };
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

function serverOf(from: NetboxExport, device: NetboxObject): SiteServer[] {
  const { name = '', serial } = device;
  const isNamed = Check(ServerName, name);
  if (!isNamed || isReservedName(name)) {
    const reason = isNamed ? 'is reserved' : (ServerName as { 'x-reason'?: string })['x-reason'];
    from.skip(`device ${name}`, `its name ${reason}`);
    return [];
  }
  const address = bmcAddress(from, device);
  if (address === undefined) {
    from.skip(`device ${name}`, 'it has no out-of-band address for its BMC');
    return [];
  }
  const settings = { address, username: { env: 'BMC_USERNAME' }, password: { env: 'BMC_PASSWORD' } };
  const macs = interfacesOf(from, device)
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

/** Returns the out-of-band address, or that of a management-only interface. */
function bmcAddress({ objectsOfKind, interfaces }: NetboxExport, { id, oob_ip }: NetboxObject): string | undefined {
  const managementAddress = objectsOfKind('ip-address').find(({ assigned_object }) => {
    const port = interfaces.get(assigned_object?.id ?? -1);
    return port?.mgmt_only === true && port.device?.id === id;
  });
  return (oob_ip?.address ?? managementAddress?.address)?.split('/')[0];
}

function interfacesOf({ objectsOfKind }: NetboxExport, { id }: NetboxObject): NetboxObject[] {
  return objectsOfKind('interface').filter(({ device }) => device?.id === id);
}

function mountOf({ skip, objectsOfKind }: NetboxExport, { name, rack, position, device_type }: NetboxObject) {
  if (rack == null) return {};
  const hasRack = objectsOfKind('rack').some((candidate) => candidate.name === rack.name);
  if (position == null || !Number.isInteger(position) || !hasRack) {
    const isWrong = `rack ${rack.name} is missing, or the position is not a whole unit`;
    skip(`position of device ${name}`, position == null ? 'it has no position in its rack' : isWrong);
    return {};
  }
  const height = device_type?.u_height ?? 1;
  return { rack: rack.name!, unit: position, ...(height <= 1 ? {} : { height: Math.ceil(height) }) };
}

function switchOf(from: NetboxExport, device: NetboxObject): SiteSwitch[] {
  const { name = '', primary_ip, primary_ip4 } = device;
  const address = (primary_ip ?? primary_ip4)?.address?.split('/')[0];
  if (address === undefined) {
    from.skip(`device ${name}`, 'it has no primary address');
    return [];
  }
  const settings = { version: '2c', address, community: { env: 'SNMP_COMMUNITY' } };
  return [{ name, driver: 'snmp', settings, ...mountOf(from, device) }];
}

/** Maps servers to the switch ports they are cabled to. NetBox has the ifIndex only as a custom field. */
function cabledPorts(
  from: NetboxExport,
  servers: readonly SiteServer[],
  switches: ReadonlySet<string>,
): Map<string, NonNullable<SiteServer['ports']>> {
  const portsByServer = new Map<string, { switch: string; ifIndex: number }[]>();
  const names = new Set(servers.map(({ name }) => name));
  for (const cable of from.objectsOfKind('cable')) {
    const ends = cableEnds(cable).map((id) => from.interfaces.get(id));
    const server = ends.find((end) => names.has(end?.device?.name ?? ''));
    const port = ends.find((end) => switches.has(end?.device?.name ?? ''));
    const label = `cable ${cable.label || cable.display || cable.id}`;
    if (server === undefined || port === undefined) {
      from.skip(label, 'it does not connect a server and a switch of this file');
      continue;
    }
    const ifIndex = port.custom_fields?.['ifindex'] ?? port.custom_fields?.['snmp_index'];
    if (typeof ifIndex !== 'number') {
      from.skip(label, `${port.device!.name} ${port.name} has no custom field ifindex`);
      continue;
    }
    const list = portsByServer.get(server.device!.name!) ?? [];
    portsByServer.set(server.device!.name!, [...list, { switch: port.device!.name!, ifIndex }]);
  }
  return portsByServer;
}

function netblocksOf({ objectsOfKind, skip }: NetboxExport): NonNullable<Site['netblocks']> {
  const seen = new Set<string>();
  return objectsOfKind('prefix').flatMap(({ prefix = '', status, is_pool, vrf }) => {
    const network = parseNetwork(prefix);
    const cidr = network && networkText(network);
    const why =
      vrf != null
        ? 'site files do not support VRFs'
        : status?.value !== 'active'
          ? `its status is ${status?.label?.toLowerCase() ?? 'unknown'}`
          : cidr === undefined || seen.has(cidr)
            ? 'it is a duplicate, or not a network'
            : undefined;
    if (why !== undefined || cidr === undefined) {
      skip(`prefix ${prefix}`, why ?? '');
      return [];
    }
    seen.add(cidr);
    return [{ cidr, ...(is_pool === true ? { pool: 'ask' as const } : {}) }];
  });
}
