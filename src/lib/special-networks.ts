// Addresses that customers may not make us call: IANA's special-purpose registries and the metadata services of clouds. In IPv6,
// everything but global unicast is excluded.
import ipaddr from 'ipaddr.js';
import { networkContains, parseNetwork, type Address } from './addresses.ts';

const specialNetworks: readonly (readonly [kind: string, networks: readonly string[]])[] = [
  ['an unspecified', ['0.0.0.0/8', '::/128']],
  ['a loopback', ['127.0.0.0/8', '::1/128']],
  ['a link-local', ['169.254.0.0/16', 'fe80::/10']],
  ['a private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['a shared (carrier-grade NAT)', ['100.64.0.0/10']],
  ['a cloud metadata', ['168.63.129.16/32']],
  ['a benchmarking', ['198.18.0.0/15', '2001:2::/48']],
  ['a documentation', ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20']],
  ['a multicast', ['224.0.0.0/4', 'ff00::/8']],
  ['a tunnel', ['192.88.99.0/24', '2001::/32', '2002::/16']],
  ['a reserved', ['192.0.0.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.175.48.0/24', '240.0.0.0/4', '2001::/23']],
];
const rejectedNetworks = specialNetworks.flatMap(([kind, texts]) =>
  texts.map((text) => [kind, parseNetwork(text)!] as const),
);
const globalUnicast = parseNetwork('2000::/3')!;
/** Through this prefix, IPv6-only networks reach any IPv4 address, so the embedded address counts. */
const nat64 = parseNetwork('64:ff9b::/96')!;

/** Returns the kind of an address that may not be called, such as `a private`, or undefined if it may. */
export function specialKind(address: Address): string | undefined {
  const kind = rejectedNetworks.find(([, network]) => networkContains(network, address))?.[0];
  if (kind !== undefined) return kind;
  return address.kind() === 'ipv4' || networkContains(globalUnicast, address) ? undefined : 'a reserved';
}

/** Returns the IPv4 address that an IPv6 address embeds, or the address itself. */
export function unwrapIpv4(address: Address): Address {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (networkContains(nat64, address)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}
