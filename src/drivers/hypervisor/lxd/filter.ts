// The filter of what a machine may send, as properties of its network cards. LXD takes one address of each family, and further blocks as
// routes.
import { Type } from 'typebox';
import { parseNetwork } from '#lib/addresses.ts';
import { cannotFilter } from '../driver.ts';
import type { LxdApi } from './api.ts';
import type { Devices } from './instances.ts';

type Card = Readonly<Record<string, string>>;
/** By the name of the managed network. */
export type NetworkTypes = ReadonlyMap<string, string>;

const Networks = Type.Array(Type.Object({ name: Type.String(), type: Type.String() }));
/** Types of card for which LXD itself enforces the configured addresses. */
const enforcing = new Set(['ovn', 'routed', 'ipvlan']);

export async function readNetworkTypes(api: LxdApi, signal: AbortSignal): Promise<NetworkTypes> {
  const networks = await api.get('/1.0/networks?recursion=1', Networks, signal);
  return new Map(networks.map(({ name, type }) => [name, type === 'bridge' ? 'bridged' : type]));
}

export function cardNames(devices: Devices): readonly string[] {
  return Object.keys(devices).filter((name) => devices[name]!['type'] === 'nic');
}

export function isFiltered(devices: Devices, types: NetworkTypes): boolean {
  return cardNames(devices).every((name) => {
    const card = devices[name]!;
    return enforcing.has(cardType(card, types) ?? '') || card['security.mac_filtering'] === 'true';
  });
}

/** Returns false if LXD has no filter for one of the cards. */
export function canFilter(devices: Devices, types: NetworkTypes): boolean {
  return cardNames(devices).every((name) => isFilterable(cardType(devices[name]!, types)));
}

function isFilterable(type: string | undefined): boolean {
  return type === 'bridged' || enforcing.has(type ?? '');
}

/** Returns the cards with their filters. */
export function filterCards(
  devices: Devices,
  networks: readonly string[],
  types: NetworkTypes,
  mayReplug: boolean,
): Devices {
  const filtered: Devices = {};
  for (const name of cardNames(devices)) {
    const card = devices[name]!;
    const type = cardType(card, types);
    if (!isFilterable(type)) throw cannotFilter(`LXD has no filter for ${type} cards`);
    filtered[name] = type === 'bridged' ? filterCard(card, networks, mayReplug) : card;
  }
  return filtered;
}

function cardType(card: Card, types: NetworkTypes): string | undefined {
  return card['nictype'] ?? types.get(card['network'] ?? '');
}

function filterCard(card: Card, networks: readonly string[], mayReplug: boolean): Record<string, string> {
  const others = Object.entries(card).filter(([key]) => !/^ipv[46]\.(address|routes\.external)$/.test(key));
  return {
    ...Object.fromEntries(others),
    'security.mac_filtering': 'true',
    // A change would unplug the card of a running system and lose its configuration.
    ...(mayReplug && { 'security.port_isolation': 'true' }),
    // LXD cannot combine these with its own VLANs.
    ...(card['vlan'] === undefined && card['vlan.tagged'] === undefined
      ? { ...addressKeys('ipv4', networks), ...addressKeys('ipv6', networks) }
      : {}),
  };
}

function addressKeys(family: 'ipv4' | 'ipv6', networks: readonly string[]): Record<string, string> {
  const [first, ...others] = networks.filter((network) => parseNetwork(network)!.base.kind() === family);
  const filtering = { [`security.${family}_filtering`]: 'true' };
  if (first === undefined) return { ...filtering, [`${family}.address`]: 'none' };
  const [address, length] = first.split('/');
  const blocks = length === '32' || length === '128' ? others : [first, ...others];
  const routes = blocks.length === 0 ? {} : { [`${family}.routes.external`]: blocks.join(',') };
  return { ...filtering, [`${family}.address`]: address!, ...routes };
}
