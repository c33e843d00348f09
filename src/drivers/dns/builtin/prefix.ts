// The network that an address counts for. Limits apply to networks, because whoever has one address usually has many.

/** Returns a key for the IPv4 /24 or IPv6 /56 of an address, as sockets print it. */
export function prefixOf(address: string): string {
  if (!address.includes(':')) return address.slice(0, address.lastIndexOf('.'));
  const [head = '', tail] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups =
    tail === undefined ? head : [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return [...groups.slice(0, 3), Number.parseInt(groups[3] ?? '0', 16) >> 8].join(':');
}
