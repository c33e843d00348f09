// Addresses of virtual machines, as listed.
import { addressesOf, isSortableIpv4, readSortable, type AddressRange } from '#lib/address-ranges.ts';

/** Returns the main address, then every other IPv4 address and the first of each IPv6 block. */
export function addressTexts(main: string, blocks: readonly AddressRange[]): string[] {
  const texts = blocks
    .flatMap((block) => (isSortableIpv4(block.first) ? [...addressesOf(block)] : [block.first]))
    .map(readSortable);
  return [...new Set([main, ...texts])];
}
