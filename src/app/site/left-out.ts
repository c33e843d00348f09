// What is in the database and not in a site file, and who uses it. Leaving something out never takes it away; `--prune` does,
// but not what a customer runs on, and what customers use in other ways only when that is said too.
import type { Site } from '#contract/site.ts';
import { networkText } from '#kernel/address-ranges.ts';
import { networkContains, parseAddress, parseNetwork } from '#kernel/addresses.ts';
import { keyRevoke } from '#store/account/keys.ts';
import { nodeRemove } from '#store/devices/nodes.ts';
import { rackMountRemove, rackRemove } from '#store/devices/racks.ts';
import { serverRemove } from '#store/devices/servers.ts';
import { machinesOnNodes, settingsInUse } from '#store/operator/site-rows.ts';
import type { Queries } from '#store/store.ts';
import { switchRemove } from '#store/network/switches.ts';
import { bmcSealContext } from '#equipment/bmcs.ts';
import { nodeSealContext } from '#equipment/nodes.ts';
import { switchSealContext } from '#equipment/switches.ts';
import type { Yard } from '../yard.ts';
import { catalogues, nameOf, type Removed } from './settings.ts';

export interface LeftOutThing {
  readonly list: string;
  readonly key: string;
  /** `stays`: it is removed in no case. */
  readonly use: 'nobody' | 'customers' | 'stays';
  /** Who uses it, or why it stays. */
  readonly why: string;
}

/** Every list of a site file, with what tells its entries apart; all else in a file is a section. */
export const listKeys: Readonly<Record<string, string>> = {
  ...catalogues,
  operators: 'id',
  racks: 'name',
  servers: 'name',
  switches: 'name',
  nodes: 'name',
  netblocks: 'cidr',
  customers: 'id',
  services: 'id',
};

export function keyIn(list: string, entry: object): string {
  const key = String((entry as Record<string, unknown>)[listKeys[list]!]);
  if (list === 'servers') return key.toLowerCase();
  return list === 'netblocks' ? networkText(parseNetwork(key)!) : key;
}

/** The entries of one list of a site. */
export function entriesOf(site: Site, list: string): readonly object[] {
  return (site as unknown as Readonly<Record<string, readonly object[] | undefined>>)[list] ?? [];
}

export async function leftOutOf(queries: Queries, file: Site, stored: Site): Promise<LeftOutThing[]> {
  const uses = usesOf(file, stored, await settingsInUse(queries));
  for (const { node, service_id } of await machinesOnNodes(queries))
    uses.set(nameOf('nodes', node), { use: 'stays', why: `the machine of service ${service_id} is there` });
  const things = [...namesLeftOut(file, stored)].map(([list, key]) => {
    const used = uses.get(key === '' ? list : nameOf(list, key));
    return { list, key, use: used?.use ?? 'nobody', why: used?.why ?? '' } as const;
  });
  return things.filter(({ list, key }) => list !== 'racks' || !isStillUsed(key, stored, things));
}

function* namesLeftOut(file: Site, stored: Site): Iterable<readonly [list: string, key: string]> {
  for (const list of Object.keys(stored)) {
    if (!(list in listKeys)) {
      if (!(list in file)) yield [list, ''];
      continue;
    }
    const given = new Set(entriesOf(file, list).map((entry) => keyIn(list, entry)));
    for (const entry of entriesOf(stored, list)) {
      const key = keyIn(list, entry);
      if (!given.has(key)) yield [list, key];
    }
  }
  yield* portsLeftOut(file, stored);
  for (const { id, keys = [] } of stored.customers ?? []) {
    const given = file.customers?.find((customer) => customer.id === id)?.keys ?? [];
    for (const key of keys) if (!given.some((each) => each.id === key.id)) yield ['keys', key.id];
  }
}

/** Ports of switches in the file that belong to a service of which the file says nothing. */
function* portsLeftOut(file: Site, stored: Site): Iterable<readonly [list: string, key: string]> {
  for (const { name, ports = [] } of stored.switches ?? []) {
    const given = file.switches?.find((each) => each.name === name);
    if (given === undefined) continue;
    for (const { ifIndex, service } of ports) {
      const isGiven = given.ports?.some((port) => port.ifIndex === ifIndex && port.service !== undefined) === true;
      if (service !== undefined && !isGiven) yield ['ports', `${ifIndex} of ${name}`];
    }
  }
}

interface Use {
  readonly use: 'customers' | 'stays';
  readonly why: string;
}

function usesOf(file: Site, stored: Site, settings: ReadonlyMap<string, string>): Map<string, Use> {
  const uses = new Map<string, Use>();
  const used = (name: string, why: string) => uses.has(name) || uses.set(name, { use: 'customers', why });
  const stays = (name: string, why: string) => uses.set(name, { use: 'stays', why });
  for (const [name, why] of settings) used(name, why);
  for (const { id } of stored.customers ?? []) stays(nameOf('customers', id), 'a customer is closed, never left out');
  for (const { id } of stored.services ?? []) stays(nameOf('services', id), 'a service is terminated, never left out');
  const live = liveServices(file, stored);
  for (const { id, server, machine, plan } of live) {
    if (server !== undefined) stays(nameOf('servers', server.toLowerCase()), `service ${id} has it`);
    if (machine?.node !== undefined)
      stays(nameOf('nodes', machine.node), `the machine of service ${id} is to be there`);
    if (machine !== undefined) stays(nameOf('templates', machine.template), `the machine of service ${id} has it`);
    if (plan !== undefined) stays(nameOf('plans', plan), `service ${id} is billed by it`);
  }
  const ids = new Set(live.map(({ id }) => id));
  for (const { name, ports = [] } of stored.switches ?? []) {
    for (const { ifIndex, service } of ports) {
      if (service === undefined || !ids.has(service)) continue;
      used(nameOf('switches', name), `port ${ifIndex} is that of service ${service}`);
      used(nameOf('ports', ifIndex, 'of', name), `service ${service} has it`);
    }
  }
  for (const { cidr, service } of stored.netblocks ?? []) {
    const name = nameOf('netblocks', cidr);
    const network = parseNetwork(cidr)!;
    const inside = live.find(({ ip }) => networkContains(network, parseAddress(ip)!));
    if (service !== undefined && ids.has(service)) used(name, `service ${service} has it`);
    else if (service === undefined && inside !== undefined) used(name, `service ${inside.id} has an address of it`);
  }
  for (const { id, keys = [] } of stored.customers ?? [])
    for (const key of keys) used(nameOf('keys', key.id), `customer ${id} has it`);
  return uses;
}

/** As they will be when the file is applied. */
function liveServices(file: Site, stored: Site): NonNullable<Site['services']> {
  const given = new Map((file.services ?? []).map((service) => [service.id, service]));
  return (stored.services ?? [])
    .map((service) => ({ ...service, ...given.get(service.id) }))
    .filter(({ status }) => status !== 'Terminated');
}

/** A rack in which something stays, stays with it. */
function isStillUsed(rack: string, stored: Site, things: readonly LeftOutThing[]): boolean {
  const staying = new Set(things.filter(({ use }) => use === 'stays').map(({ list, key }) => nameOf(list, key)));
  return (['servers', 'switches', 'nodes'] as const).some((list) =>
    entriesOf(stored, list).some(
      (entry) => (entry as { rack?: string }).rack === rack && staying.has(nameOf(list, keyIn(list, entry))),
    ),
  );
}

/** In a transaction, after the file was applied without them: what has tables of its own. */
export async function removeRows(yard: Yard, queries: Queries, things: readonly LeftOutThing[]): Promise<void> {
  const now = yard.clock.now();
  const nothing = (context: string) => yard.secrets.seal('{}', context);
  const remove: Readonly<Record<string, (key: string) => Promise<void>>> = {
    servers: async (name) => {
      await rackMountRemove(queries, { kind: 'server', name });
      await serverRemove(queries, name, now, nothing(bmcSealContext(name)));
    },
    switches: async (name) => {
      await rackMountRemove(queries, { kind: 'switch', name });
      await switchRemove(queries, name, now, nothing(switchSealContext(name)));
    },
    nodes: async (name) => {
      await rackMountRemove(queries, { kind: 'node', name });
      await nodeRemove(queries, name, now, nothing(nodeSealContext(name)));
    },
    operators: (id) => keyRevoke(queries, id, now),
    keys: (id) => keyRevoke(queries, id, now),
  };
  for (const { list, key } of things) await remove[list]?.(key);
  for (const { list, key } of things) if (list === 'racks') await rackRemove(queries, key);
}

export function namesOf(things: readonly LeftOutThing[]): Removed {
  return new Set(things.map(({ list, key }) => (key === '' ? list : nameOf(list, key))));
}
