// How the addresses of a service reach its device, block by block.
import {
  addressesOf,
  isSortableIpv4,
  prefixLengthOf,
  readSortable,
  sortableAddress,
  sortableNumber,
} from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { mapInSlices } from '#lib/slices.ts';
import { contains, createEnclosing, deliveryOf, smallestAround, type Delivery } from '#lib/delivery.ts';
import type { Service } from '#store/devices/services.ts';
import { netblockList, providerNetblocksAround, type Netblock } from '#store/network/netblocks.ts';
import type { Queries } from '#store/store.ts';

export interface DeliveredAddress {
  readonly address: string;
  readonly prefixLength: number;
}

export interface DeliveredBlock {
  readonly cidr: string;
  readonly delivery: Delivery;
  /** Every IPv4 address that a device can use, and the first of an IPv6 block. */
  readonly addresses: readonly DeliveredAddress[];
  /** Of the network that the device shares with it. */
  readonly gateway: string | undefined;
  /** The device has the address as its main one, or the first of the other family, so the gateway is its default route. */
  readonly isDefault: boolean;
}

export async function deliveredBlocks(
  queries: Queries,
  service: Pick<Service, 'id' | 'account_id' | 'ip'>,
): Promise<DeliveredBlock[]> {
  const own = await netblockList(queries, service.account_id, service.id);
  const around = await providerNetblocksAround(
    queries,
    own.map(({ first }) => first),
  );
  return deliverBlocks(service.ip, own, createEnclosing(around));
}

function deliverBlocks(
  ip: string,
  own: readonly Netblock[],
  providerAround: (block: Netblock) => readonly Netblock[],
): DeliveredBlock[] {
  const main = sortableAddress(parseAddress(ip)!);
  const mainRange = { first: main, last: main };
  const withDefault = new Set([main[0]]);
  // The block of the main address comes first, whatever its number.
  const blocks = own.toSorted((left, right) => Number(contains(right, mainRange)) - Number(contains(left, mainRange)));
  return blocks.map((block) => {
    const isMain = contains(block, mainRange);
    const around = [...providerAround(block), ...own];
    const delivery = isMain ? 'on-link' : deliveryOf(block, around);
    const network = delivery === 'routed' ? undefined : networkOf(block, around);
    const gateway = network?.gateway ?? undefined;
    const family = block.first[0]!;
    const isDefault = gateway !== undefined && (isMain || !withDefault.has(family));
    if (isDefault) withDefault.add(family);
    const hostLength = family === '4' ? 32 : 128;
    const prefixLength = network === undefined ? hostLength : prefixLengthOf(network);
    const addresses = deviceAddresses(block, delivery, network).map((address) => ({ address, prefixLength }));
    return { cidr: block.cidr, delivery, addresses, gateway, isDefault };
  });
}

export interface ConfiguredAddress extends DeliveredAddress {
  readonly gateway?: string;
}

/**
 * Returns every address to configure on the device, as its block is delivered: the main one, then those with the gateway of
 * their family, then the others.
 */
export async function addressesToSet(
  queries: Queries,
  service: Pick<Service, 'id' | 'account_id' | 'ip'>,
): Promise<ConfiguredAddress[]> {
  return configuredAddresses(service.ip, await deliveredBlocks(queries, service));
}

/** Does the same for many services. `netblocks` are those of all of them. */
export function addressesOfServices<S extends { readonly service_id: number; readonly ip: string }>(
  services: readonly S[],
  netblocks: readonly Netblock[],
  provider: readonly Netblock[],
): Promise<(S & { readonly addresses: readonly ConfiguredAddress[] })[]> {
  const own = Map.groupBy(netblocks, ({ service_id }) => service_id);
  const providerAround = createEnclosing(provider);
  return mapInSlices(services, (service) => {
    const blocks = deliverBlocks(service.ip, own.get(service.service_id) ?? [], providerAround);
    return { ...service, addresses: configuredAddresses(service.ip, blocks) };
  });
}

function configuredAddresses(ip: string, blocks: readonly DeliveredBlock[]): ConfiguredAddress[] {
  const addresses = blocks.flatMap(({ addresses: own, isDefault, gateway }) =>
    own.map((entry, index): ConfiguredAddress => (isDefault && index === 0 ? { ...entry, gateway: gateway! } : entry)),
  );
  const rank = ({ address, gateway }: ConfiguredAddress): number =>
    address === ip ? 0 : gateway === undefined ? 2 : 1;
  return addresses.toSorted((left, right) => rank(left) - rank(right));
}

/** Returns the network segment: the smallest block around with a gateway, or else the smallest of the provider's. */
function networkOf(block: Netblock, around: readonly Netblock[]): Netblock | undefined {
  const withGateway = around.filter(({ gateway }) => gateway !== null);
  const ofProvider = around.filter(({ account_id }) => account_id === null);
  return smallestAround(block, withGateway) ?? smallestAround(block, ofProvider);
}

function deviceAddresses(block: Netblock, delivery: Delivery, network: Netblock | undefined): string[] {
  if (!isSortableIpv4(block.first)) return [readSortable(delivery === 'routed' ? second(block) : block.first)];
  const gateway = network?.gateway ?? undefined;
  const used = network === undefined || gateway === undefined ? [] : [network.first, network.last];
  return [...addressesOf(block)]
    .filter((address) => !used.includes(address))
    .map(readSortable)
    .filter((address) => address !== gateway);
}

/** The first address of an IPv6 network belongs to its routers. */
function second({ first, last }: Netblock): string {
  return first === last ? first : `6${(sortableNumber(first) + 1n).toString(16).padStart(32, '0')}`;
}
