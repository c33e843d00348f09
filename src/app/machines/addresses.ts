// The addresses of virtual machines: as they are listed, and as a new system is told them.
import type { MachineAddress } from '#drivers/hypervisor/driver.ts';
import { addressesOf, readSortable, sortableAddress } from '#kernel/address-ranges.ts';
import { parseAddress } from '#kernel/addresses.ts';
import { netblockList, providerNetblocks, type Netblock } from '#store/network/netblocks.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';

type Block = Pick<Netblock, 'first' | 'last'>;

/** The main one first, then every other IPv4 address and the first of each IPv6 block. */
export function addressTexts(main: string, blocks: readonly Block[]): string[] {
  const all = blocks.flatMap((block) => (isIpv4(block) ? [...addressesOf(block)] : [block.first])).map(readSortable);
  return [...new Set([main, ...all])];
}

export function isIpv4({ first }: Pick<Block, 'first'>): boolean {
  return first.startsWith('4');
}

/** With the network that each stands in: the smallest block of the provider that has it, and so a way out of it. */
export async function addressesToSet(queries: Queries, service: Service): Promise<MachineAddress[]> {
  const own = await netblockList(queries, service.account_id, service.id);
  const networks = await providerNetblocks(queries);
  return addressTexts(service.ip, own).map((address) => {
    const sortable = sortableAddress(parseAddress(address)!);
    const around = networks
      .filter(({ first, last }) => first <= sortable && sortable <= last)
      .toSorted((one, other) => prefixLengthOf(other) - prefixLengthOf(one))[0];
    const prefixLength = around === undefined ? (isIpv4({ first: sortable }) ? 32 : 128) : prefixLengthOf(around);
    const gateway = around?.gateway ?? undefined;
    return gateway === undefined ? { address, prefixLength } : { address, prefixLength, gateway };
  });
}

function prefixLengthOf({ cidr }: Netblock): number {
  return Number(cidr.slice(cidr.lastIndexOf('/') + 1));
}
