// Finds what is in the database but not in a site file, and who uses it. Only `--prune` removes such entries; it never
// removes what a customer's service runs on, and it needs a confirmation for anything else that customers use.
import type { Site } from '#contract/site/site.ts';
import { DisjointRanges, networkRange, networkText, type AddressRange } from '#lib/address-ranges.ts';
import { parseNetwork } from '#lib/addresses.ts';
import { keyRevoke } from '#store/account/keys.ts';
import { hypervisorRemove } from '#store/devices/hypervisors.ts';
import { rackMountRemove, rackRemove } from '#store/devices/racks.ts';
import { pduRemove } from '#store/devices/pdus.ts';
import { serverRemove, serversInUse } from '#store/devices/servers.ts';
import { contentOfNodes, settingsInUse } from '#store/operator/site-rows.ts';
import type { Queries } from '#store/store.ts';
import { switchRemove } from '#store/network/switches.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/hypervisors.ts';
import { pduSealContext } from '#equipment/pdus.ts';
import { switchSealContext } from '#equipment/switches.ts';
import type { App } from '../app.ts';
import { catalogues, entryName, type RemovedNames } from './settings.ts';

export interface UnlistedEntry {
  readonly list: string;
  readonly key: string;
  /** `stays` means that it cannot be pruned. */
  readonly use: 'nobody' | 'customers' | 'stays';
  /** Who uses it, or why it stays. */
  readonly why: string;
}

/** The lists of a site file, each with the field that identifies its entries; everything else is a section. */
export const listKeys: Readonly<Record<string, string>> = {
  ...catalogues,
  operators: 'id',
  racks: 'name',
  servers: 'name',
  switches: 'name',
  pdus: 'name',
  nodes: 'name',
  netblocks: 'cidr',
  customers: 'id',
  services: 'id',
};

export function entryKey(list: string, entry: object): string {
  const key = String((entry as Record<string, unknown>)[listKeys[list]!]);
  if (list === 'servers') return key.toLowerCase();
  return list === 'netblocks' ? networkText(parseNetwork(key)!) : key;
}

export function listEntries(site: Site, list: string): readonly object[] {
  return (site as unknown as Readonly<Record<string, readonly object[] | undefined>>)[list] ?? [];
}

export async function findUnlisted(queries: Queries, file: Site, stored: Site): Promise<UnlistedEntry[]> {
  const names = [...unlistedNames(file, stored)];
  if (names.length === 0) return [];
  const uses = collectUses(file, stored, await settingsInUse(queries), names);
  // Without its record, the same machine could be added under another name and get its next customer with these disks.
  for (const { name, state } of await serversInUse(queries, namesOf('servers', names))) {
    const why = state === 'quarantined' ? 'it is in quarantine' : 'its disks are not erased yet';
    if (uses.get(entryName('servers', name))?.use !== 'stays')
      uses.set(entryName('servers', name), { use: 'stays', why });
  }
  for (const { node, what, isLeft } of await contentOfNodes(queries, namesOf('nodes', names))) {
    const name = entryName('nodes', node);
    if (!isLeft) uses.set(name, { use: 'stays', why: `${what} is on it` });
    else if (!uses.has(name)) uses.set(name, { use: 'customers', why: `${what} is not removed from it yet` });
  }
  const entries = names.map(([list, key]) => {
    const use = uses.get(key === '' ? list : entryName(list, key));
    return { list, key, use: use?.use ?? 'nobody', why: use?.why ?? '' } as const;
  });
  return entries.filter(({ list, key }) => list !== 'racks' || !hasRetainedEquipment(key, stored, entries));
}

function* unlistedNames(file: Site, stored: Site): Iterable<readonly [list: string, key: string]> {
  for (const list of Object.keys(stored)) {
    if (!(list in listKeys)) {
      if (!(list in file)) yield [list, ''];
      continue;
    }
    const listed = new Set(listEntries(file, list).map((entry) => entryKey(list, entry)));
    for (const entry of listEntries(stored, list)) {
      const key = entryKey(list, entry);
      if (!listed.has(key)) yield [list, key];
    }
  }
  yield* unlistedPorts(file, stored);
  const customers = new Map(file.customers?.map((customer) => [customer.id, customer]));
  for (const { id, keys = [] } of stored.customers ?? []) {
    const listed = customers.get(id)?.keys ?? [];
    for (const key of keys) if (!listed.some((candidate) => candidate.id === key.id)) yield ['keys', key.id];
  }
}

/** Yields ports with a service, on switches that the file lists, for which the file names no service. */
function* unlistedPorts(file: Site, stored: Site): Iterable<readonly [list: string, key: string]> {
  const switches = new Map(file.switches?.map((networkSwitch) => [networkSwitch.name, networkSwitch]));
  for (const { name, ports = [] } of stored.switches ?? []) {
    const listed = switches.get(name);
    if (listed === undefined) continue;
    for (const { ifIndex, service } of ports) {
      const isListed = listed.ports?.some((port) => port.ifIndex === ifIndex && port.service !== undefined) === true;
      if (service !== undefined && !isListed) yield ['ports', `${ifIndex} of ${name}`];
    }
  }
}

function namesOf(list: string, names: readonly (readonly [list: string, key: string])[]): string[] {
  return names.filter(([candidate]) => candidate === list).map(([, key]) => key);
}

interface Use {
  readonly use: 'customers' | 'stays';
  readonly why: string;
}

function collectUses(
  file: Site,
  stored: Site,
  settings: ReadonlyMap<string, string>,
  unlisted: readonly (readonly [list: string, key: string])[],
): Map<string, Use> {
  const uses = new Map<string, Use>();
  const markUsed = (name: string, why: string) => uses.has(name) || uses.set(name, { use: 'customers', why });
  const markRequired = (name: string, why: string) => uses.set(name, { use: 'stays', why });
  for (const [name, why] of settings) markUsed(name, why);
  for (const { id } of stored.customers ?? [])
    markRequired(entryName('customers', id), 'customers can be closed, but not removed');
  for (const { id } of stored.services ?? [])
    markRequired(entryName('services', id), 'services can be terminated, but not removed');
  const live = liveServices(file, stored);
  for (const { id, server, machine, plan } of live) {
    if (server !== undefined) markRequired(entryName('servers', server.toLowerCase()), `service ${id} uses it`);
    if (machine?.node !== undefined)
      markRequired(entryName('nodes', machine.node), `the machine of service ${id} is placed on it`);
    if (machine !== undefined)
      markRequired(entryName('templates', machine.template), `the machine of service ${id} uses it`);
    if (plan !== undefined) markRequired(entryName('plans', plan), `service ${id} is billed by it`);
  }
  for (const { name, outlets = [] } of withListed(file, stored))
    for (const { pdu } of outlets) markRequired(entryName('pdus', pdu), `server ${name} is plugged into it`);
  const ids = new Set(live.map(({ id }) => id));
  for (const { name, ports = [] } of stored.switches ?? []) {
    for (const { ifIndex, service } of ports) {
      if (service === undefined || !ids.has(service)) continue;
      markUsed(entryName('switches', name), `port ${ifIndex} belongs to service ${service}`);
      markUsed(entryName('ports', ifIndex, 'of', name), `it belongs to service ${service}`);
    }
  }
  const unlistedBlocks = new Set(namesOf('netblocks', unlisted));
  const addresses = new DisjointRanges<AddressRange & { id: number }>();
  if (unlistedBlocks.size > 0) for (const { id, ip } of live) addresses.add({ ...networkRange(parseNetwork(ip)!), id });
  for (const { cidr, service } of stored.netblocks ?? []) {
    if (!unlistedBlocks.has(cidr)) continue;
    const name = entryName('netblocks', cidr);
    const [inside] = addresses.overlapping(networkRange(parseNetwork(cidr)!));
    if (service !== undefined && ids.has(service)) markUsed(name, `it belongs to service ${service}`);
    else if (service === undefined && inside !== undefined) markUsed(name, `service ${inside.id} has an address in it`);
  }
  for (const { id, keys = [] } of stored.customers ?? [])
    for (const key of keys) markUsed(entryName('keys', key.id), `it belongs to customer ${id}`);
  return uses;
}

/** Returns the servers as they will be once the file is applied. */
function withListed(file: Site, stored: Site): NonNullable<Site['servers']> {
  const listed = new Map((file.servers ?? []).map((server) => [server.name.toLowerCase(), server]));
  return (stored.servers ?? []).map((server) => listed.get(server.name) ?? server);
}

/** Returns the services that will not be terminated once the file is applied. */
function liveServices(file: Site, stored: Site): NonNullable<Site['services']> {
  const listed = new Map((file.services ?? []).map((service) => [service.id, service]));
  return (stored.services ?? [])
    .map((service) => ({ ...service, ...listed.get(service.id) }))
    .filter(({ status }) => status !== 'Terminated');
}

/** Returns true if equipment in this rack stays; the rack then stays too. */
function hasRetainedEquipment(rack: string, stored: Site, entries: readonly UnlistedEntry[]): boolean {
  const retained = new Set(entries.filter(({ use }) => use === 'stays').map(({ list, key }) => entryName(list, key)));
  return (['servers', 'switches', 'nodes'] as const).some((list) =>
    listEntries(stored, list).some(
      (entry) => (entry as { rack?: string }).rack === rack && retained.has(entryName(list, entryKey(list, entry))),
    ),
  );
}

const equipmentLists = {
  servers: { kind: 'server', remove: serverRemove, sealContext: bmcSealContext },
  switches: { kind: 'switch', remove: switchRemove, sealContext: switchSealContext },
  nodes: { kind: 'node', remove: hypervisorRemove, sealContext: nodeSealContext },
} as const;

/** Frees the rack units of the entries, before the file is applied: it may give them to others. */
export async function removeMounts(queries: Queries, entries: readonly UnlistedEntry[]): Promise<void> {
  for (const { list, key } of entries)
    if (isEquipmentList(list)) await rackMountRemove(queries, { kind: equipmentLists[list].kind, name: key });
}

function isEquipmentList(list: string): list is keyof typeof equipmentLists {
  return Object.hasOwn(equipmentLists, list);
}

/** Removes the entries that have their own tables. Runs in the transaction that applied the file, after it. */
export async function removeRows(app: App, queries: Queries, entries: readonly UnlistedEntry[]): Promise<void> {
  const now = app.clock.now();
  for (const { list, key } of entries) {
    if (list === 'operators' || list === 'keys') await keyRevoke(queries, key, now);
    if (list === 'pdus') await pduRemove(queries, key, now, app.secrets.seal('{}', pduSealContext(key)));
    if (!isEquipmentList(list)) continue;
    const { remove, sealContext } = equipmentLists[list];
    await remove(queries, key, now, app.secrets.seal('{}', sealContext(key)));
  }
  for (const { list, key } of entries) if (list === 'racks') await rackRemove(queries, key);
}

export function entryNames(entries: readonly UnlistedEntry[]): RemovedNames {
  return new Set(entries.map(({ list, key }) => (key === '' ? list : entryName(list, key))));
}
