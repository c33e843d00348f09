// Addresses of virtual machines, as listed and as configured in a new system.
import type { MachineAddress } from '#drivers/hypervisor/driver.ts';
import { addressesOf, prefixLengthOf, readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import { netblockList, providerNetblocks, type Netblock } from '#store/network/netblocks.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';

type Block = Pick<Netblock, 'first' | 'last'>;

/** Returns the main address, then every other IPv4 address and the first of each IPv6 block. */
export function addressTexts(main: string, blocks: readonly Block[]): string[] {
  const texts = blocks.flatMap((block) => (isIpv4(block) ? [...addressesOf(block)] : [block.first])).map(readSortable);
  return [...new Set([main, ...texts])];
}

function isIpv4({ first }: Pick<Block, 'first'>): boolean {
  return first.startsWith('4');
}

/** Returns each address with its network, the smallest of the provider's blocks that contains it, and that network's gateway. */
export async function addressesToSet(queries: Queries, service: Service): Promise<MachineAddress[]> {
  const blocks = await netblockList(queries, service.account_id, service.id);
  const networks = await providerNetblocks(queries);
  return addressTexts(service.ip, blocks).map((address) => {
    const sortable = sortableAddress(parseAddress(address)!);
    const network = networks
      .filter(({ first, last }) => first <= sortable && sortable <= last)
      .toSorted((left, right) => prefixLengthOf(right) - prefixLengthOf(left))[0];
    const prefixLength = network === undefined ? (isIpv4({ first: sortable }) ? 32 : 128) : prefixLengthOf(network);
    const gateway = network?.gateway ?? undefined;
    return gateway === undefined ? { address, prefixLength } : { address, prefixLength, gateway };
  });
}
