// IP addresses and networks in canonical form: RFC 5952 for IPv6, and plain IPv4 for IPv4-mapped addresses.
import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

export function parseAddress(text: string): Address | undefined {
  if (text.includes('%')) return undefined;
  if (!text.includes(':')) return parseIpv4(text);
  return ipaddr.IPv6.isValid(text) ? ipaddr.process(text) : undefined;
}

const dotted = /^(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})\.(0|[1-9][0-9]{0,2})$/;

/** Ten times faster than the library, which accepts other notations too. A site file has thousands of addresses. */
function parseIpv4(text: string): ipaddr.IPv4 | undefined {
  const octets = dotted.exec(text)?.slice(1).map(Number);
  return octets?.every((value) => value <= 255) === true ? new ipaddr.IPv4(octets) : undefined;
}

/** Returns the canonical form of an address, or undefined if the text is not one. */
export function addressText(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

export interface Network {
  readonly base: Address;
  readonly prefixLength: number;
}

/** Parses `192.0.2.0/24`, or a bare address, which is a network of one. */
export function parseNetwork(text: string): Network | undefined {
  const [addressPart, lengthPart, ...rest] = text.split('/');
  const base = parseAddress(addressPart ?? '');
  if (base === undefined || rest.length > 0) return undefined;
  const bits = base.kind() === 'ipv4' ? 32 : 128;
  const prefixLength =
    lengthPart === undefined ? bits : /^[0-9]{1,3}$/.test(lengthPart) ? Number(lengthPart) : Number.NaN;
  return prefixLength <= bits ? { base, prefixLength } : undefined;
}

export function networkContains(network: Network, address: Address): boolean {
  return network.base.kind() === address.kind() && address.match(network.base as never, network.prefixLength);
}

/**
 * Returns the network that a budget is kept for: an IPv4 address, or the /64 of an IPv6 address, because a single
 * customer of any provider has a whole /64. All forms of an address give the same text. What is no address is its own
 * network.
 */
export function budgetNetwork(text: string): string {
  // IPv4 has a single form, and the parser would take a fiftieth of the CPU time of a request.
  if (!text.includes(':')) return text;
  const address = parseAddress(text.replace(/%.*/, ''));
  if (address === undefined) return text;
  if (address.kind() === 'ipv4') return address.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`)}/64`;
}

/** Returns the network of which one person or office can use every address: a /24, or a /56 of IPv6. */
export function widerNetwork(text: string): string {
  const address = parseAddress(text.replace(/%.*/, ''));
  if (address === undefined) return text;
  if (address.kind() === 'ipv4') return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/56`)}/56`;
}

/** Returns the canonical form of a MAC address with any separators, or '' if the text is not one. */
export function macText(text: string): string {
  const digits = text.toLowerCase().replaceAll(/[^0-9a-f]/g, '');
  return digits.length === 12 && text.length <= 17 ? digits.match(/../g)!.join(':') : '';
}
