// Names of addresses: in-addr.arpa by octets, ip6.arpa by nibbles, and for blocks smaller than a /24 the zones of RFC 2317.
import { isIPv4, isIPv6 } from 'node:net';
import { contentToWire } from './rdata.ts';
import { TYPE } from './types.ts';

/** A block of addresses; the address is its first. */
export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** The name under which an address has its PTR record, where no classless zone is in between. */
export function reverseName(address: string): string {
  return unitsOf(address).reverse().join('.') + (isIPv4(address) ? '.in-addr.arpa' : '.ip6.arpa');
}

/** The zones that hold the PTR records of a block: one where it ends at a label, several where the next label must be cut. */
export function reverseZones({ address, length }: Prefix): string[] {
  const isV4 = isIPv4(address);
  if (isV4 && length > 24) return [`${unitsOf(address)[3]}/${length}.${parentOfHost(address)}`];
  const bitsPerLabel = isV4 ? 8 : 4;
  const labels = Math.ceil(length / bitsPerLabel);
  const count = 2 ** (labels * bitsPerLabel - length);
  const units = unitsOf(address).slice(0, labels);
  const suffix = isV4 ? 'in-addr.arpa' : 'ip6.arpa';
  if (labels === 0) return [suffix];
  const radix = isV4 ? 10 : 16;
  const last = Number.parseInt(units.at(-1)!, radix);
  return Array.from({ length: count }, (_, index) =>
    [(last + index).toString(radix), ...units.slice(0, -1).reverse(), suffix].join('.'),
  );
}

/** The PTR name of an address of this block; in a classless block it is one label below the block's own zone. */
export function reverseNameWithin(block: Prefix, address: string): string {
  const [zone] = reverseZones(block);
  return isIPv4(address) && block.length > 24 ? `${unitsOf(address)[3]}.${zone}` : reverseName(address);
}

function parentOfHost(address: string): string {
  return reverseName(address).slice(unitsOf(address)[3]!.length + 1);
}

/** Octets in decimal, or nibbles in hexadecimal, most significant first. */
function unitsOf(address: string): string[] {
  if (isIPv4(address)) return address.split('.');
  if (!isIPv6(address)) throw new TypeError('not an IP address');
  return [...contentToWire(TYPE.AAAA, address).toString('hex')];
}
