// Addresses of virtual machines, as listed and as configured in a new system.
import type { MachineAddress } from '#drivers/hypervisor/driver.ts';
import { addressesOf, readSortable } from '#lib/address-ranges.ts';
import type { Netblock } from '#store/network/netblocks.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { deliveredBlocks } from '../network/delivery.ts';

type Block = Pick<Netblock, 'first' | 'last'>;

/** Returns the main address, then every other IPv4 address and the first of each IPv6 block. */
export function addressTexts(main: string, blocks: readonly Block[]): string[] {
  const texts = blocks.flatMap((block) => (isIpv4(block) ? [...addressesOf(block)] : [block.first])).map(readSortable);
  return [...new Set([main, ...texts])];
}

function isIpv4({ first }: Pick<Block, 'first'>): boolean {
  return first.startsWith('4');
}

/** Returns each address as its block is delivered, the main one first. One address of a family has the gateway. */
export async function addressesToSet(queries: Queries, service: Service): Promise<MachineAddress[]> {
  const blocks = await deliveredBlocks(queries, service);
  const addresses = blocks.flatMap((block) =>
    block.addresses.map((entry, index) => ({
      ...entry,
      ...(block.isDefault && index === 0 ? { gateway: block.gateway! } : {}),
    })),
  );
  return addresses.toSorted(
    (left, right) => Number(right.address === service.ip) - Number(left.address === service.ip),
  );
}
