// Addresses as text that sorts in address order: the family (4 or 6), then the address in hex. A block of addresses is then a range
// of texts, which any database can index.
import ipaddr from 'ipaddr.js';
import type { Address, Network } from './addresses.ts';

export interface AddressRange {
  readonly first: string;
  readonly last: string;
}

export function sortableAddress(address: Address): string {
  return family(address) + Buffer.from(address.toByteArray()).toString('hex');
}

/** Returns the address in its canonical form. */
export function readSortable(text: string): string {
  // A fast path, because nearly all are IPv4 and thousands are read at a time.
  if (isSortableIpv4(text)) return dotted(Number.parseInt(text.slice(1), 16));
  return ipaddr.fromByteArray([...Buffer.from(text.slice(1), 'hex')]).toString();
}

export function isSortableIpv4(text: string): boolean {
  return text.startsWith('4');
}

function dotted(number: number): string {
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

export function networkRange({ base, prefixLength }: Network): AddressRange {
  const first = base.toByteArray();
  const last = [...first];
  for (let bit = prefixLength; bit < first.length * 8; bit++) {
    const mask = 0x80 >> (bit & 7);
    first[bit >> 3]! &= ~mask;
    last[bit >> 3]! |= mask;
  }
  const text = (bytes: readonly number[]): string => family(base) + Buffer.from(bytes).toString('hex');
  return { first: text(first), last: text(last) };
}

/** Returns the canonical form, such as `192.0.2.0/24`, starting at the first address of the block. */
export function networkText(network: Network): string {
  return `${readSortable(networkRange(network).first)}/${network.prefixLength}`;
}

/** Returns the address as a number. */
export function sortableNumber(text: string): bigint {
  return BigInt(`0x${text.slice(1)}`);
}

export function prefixLengthOf({ cidr }: { readonly cidr: string }): number {
  return Number(cidr.slice(cidr.indexOf('/') + 1));
}

/** Returns the first addresses of all blocks that can contain the address, from the smallest block to the largest. */
export function firstsAround(address: string): string[] {
  const digits = address.length - 1;
  const firsts = new Set([address]);
  let number = sortableNumber(address);
  for (let bit = 0n; bit < digits * 4; bit++) {
    number &= ~(1n << bit);
    firsts.add(address[0] + number.toString(16).padStart(digits, '0'));
  }
  return [...firsts];
}

/** Yields every address of an IPv4 range. */
export function* addressesOf({ first, last }: AddressRange): Iterable<string> {
  for (let number = Number.parseInt(first.slice(1), 16); number <= Number.parseInt(last.slice(1), 16); number++) {
    yield `4${number.toString(16).padStart(8, '0')}`;
  }
}

/** Ranges that do not overlap, to find those that a range touches without comparing it with all. */
export class DisjointRanges<Item extends AddressRange> {
  readonly #sorted: Item[] = [];

  /** The item must not overlap another. */
  add(item: Item): void {
    this.#sorted.splice(this.#position(item.first), 0, item);
  }

  overlapping({ first, last }: AddressRange): Item[] {
    const from = this.#position(first);
    let until = from;
    while (until < this.#sorted.length && this.#sorted[until]!.first <= last) until++;
    return this.#sorted.slice(from, until);
  }

  /** Returns the index of the first range that does not end before the address. */
  #position(address: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]!.last < address) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function family(address: Address): '4' | '6' {
  return address.kind() === 'ipv4' ? '4' : '6';
}
