// Addresses of virtual machines, as listed.
import { addressesOf, readSortable } from '#lib/address-ranges.ts';
import type { Netblock } from '#store/network/netblocks.ts';

type Block = Pick<Netblock, 'first' | 'last'>;

/** Returns the main address, then every other IPv4 address and the first of each IPv6 block. */
export function addressTexts(main: string, blocks: readonly Block[]): string[] {
  const texts = blocks.flatMap((block) => (isIpv4(block) ? [...addressesOf(block)] : [block.first])).map(readSortable);
  return [...new Set([main, ...texts])];
}

function isIpv4({ first }: Pick<Block, 'first'>): boolean {
  return first.startsWith('4');
}
