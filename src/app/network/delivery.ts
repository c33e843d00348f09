// How the addresses of a service reach its device, block by block.
import { addressesOf, prefixLengthOf, readSortable, sortableAddress, sortableNumber } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { contains, deliveryOf, smallestAround, type Delivery } from '#lib/delivery.ts';
import type { Service } from '#store/devices/services.ts';
import { netblockList, providerNetblocks, type Netblock } from '#store/network/netblocks.ts';
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
  const provider = await providerNetblocks(queries);
  const main = sortableAddress(parseAddress(service.ip)!);
  const mainRange = { first: main, last: main };
  const around = [...provider, ...own];
  const withDefault = new Set([main[0]]);
  // The block of the main address comes first, whatever its number.
  const blocks = own.toSorted((left, right) => Number(contains(right, mainRange)) - Number(contains(left, mainRange)));
  return blocks.map((block) => {
    const isMain = contains(block, mainRange);
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

/** Returns the network segment: the smallest block around with a gateway, or else the smallest of the provider's. */
function networkOf(block: Netblock, around: readonly Netblock[]): Netblock | undefined {
  const withGateway = around.filter(({ gateway }) => gateway !== null);
  const ofProvider = around.filter(({ account_id }) => account_id === null);
  return smallestAround(block, withGateway) ?? smallestAround(block, ofProvider);
}

function deviceAddresses(block: Netblock, delivery: Delivery, network: Netblock | undefined): string[] {
  if (block.first.startsWith('6')) return [readSortable(delivery === 'routed' ? second(block) : block.first)];
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
