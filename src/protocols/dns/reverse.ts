// Reverse names of addresses: in-addr.arpa by octets, ip6.arpa by nibbles, and RFC 2317 zones for blocks smaller than a
// /24.
import { isIPv4, isIPv6 } from 'node:net';
import { contentToWire } from './rdata.ts';
import { rrTypes } from './types.ts';

/** A block of addresses, identified by its first one. */
export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** Returns the owner of an address's PTR record, without a classless zone in between. */
export function reverseName(address: string): string {
  return addressLabels(address).reverse().join('.') + (isIPv4(address) ? '.in-addr.arpa' : '.ip6.arpa');
}

/** Returns the zones with the PTR records of a block: one if the prefix ends at a label boundary, otherwise several. */
export function reverseZones({ address, length }: Prefix): string[] {
  const isV4 = isIPv4(address);
  if (isV4 && length > 24) return [`${addressLabels(address)[3]}/${length}.${parentOfHost(address)}`];
  const bitsPerLabel = isV4 ? 8 : 4;
  const labels = Math.ceil(length / bitsPerLabel);
  const count = 2 ** (labels * bitsPerLabel - length);
  const units = addressLabels(address).slice(0, labels);
  const suffix = isV4 ? 'in-addr.arpa' : 'ip6.arpa';
  if (labels === 0) return [suffix];
  const radix = isV4 ? 10 : 16;
  const last = Number.parseInt(units.at(-1)!, radix);
  return Array.from({ length: count }, (_, index) =>
    [(last + index).toString(radix), ...units.slice(0, -1).reverse(), suffix].join('.'),
  );
}

/** Returns the PTR owner of an address in this block; in a classless block it is one label below the block's zone. */
export function reverseNameWithin(block: Prefix, address: string): string {
  const [zone] = reverseZones(block);
  return isIPv4(address) && block.length > 24 ? `${addressLabels(address)[3]}.${zone}` : reverseName(address);
}

function parentOfHost(address: string): string {
  return reverseName(address).slice(addressLabels(address)[3]!.length + 1);
}

/** Returns decimal octets or hexadecimal nibbles, most significant first. */
function addressLabels(address: string): string[] {
  if (isIPv4(address)) return address.split('.');
  if (!isIPv6(address)) throw new TypeError('not an IP address');
  return [...contentToWire(rrTypes.AAAA, address).toString('hex')];
}

/** Returns the block that a reverse name describes, or undefined if it is none, which includes classless zones. */
export function prefixOfReverseName(name: string): Prefix | undefined {
  const [labels4, labels6] = ['.in-addr.arpa', '.ip6.arpa'].map((suffix) =>
    name.endsWith(suffix) ? name.slice(0, -suffix.length).split('.').reverse() : undefined,
  );
  if (labels4?.every((label) => /^(?:0|[1-9]\d{0,2})$/.test(label) && Number(label) < 256) && labels4.length <= 4)
    return { address: [...labels4, 0, 0, 0, 0].slice(0, 4).join('.'), length: labels4.length * 8 };
  if (labels6?.every((label) => /^[0-9a-f]$/.test(label)) && labels6.length <= 32) {
    const groups = labels6.join('').padEnd(32, '0').match(/.{4}/g)!;
    return { address: groups.join(':'), length: labels6.length * 4 };
  }
  return undefined;
}
