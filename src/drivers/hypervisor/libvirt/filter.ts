// The network filter of a machine: libvirt applies it to everything that the machine sends, and a change to machines that run.
// libvirt's own building blocks (clean-traffic) allow one address and no IPv6, so these are rules of our own. They match
// frames only: rules that need connection tracking would drop incoming connections.
import { createHash } from 'node:crypto';
import { parseNetwork } from '#lib/addresses.ts';
import { element, findPath, replaceChild, type Element } from './xml.ts';

/** By ICMPv6 type. 131 to 135 are multicast listener messages and router and neighbour solicitation, without the advertisement. */
const icmp = {
  firstQuestion: 131,
  lastQuestion: 135,
  routerAdvertisement: 134,
  redirect: 137,
  listenerReport: 143,
} as const;
const [unspecified4, broadcast4, unspecified6] = ['0.0.0.0', '255.255.255.255', '::'];
const firstPriority = -500;

type Rule = readonly [action: 'accept' | 'drop', match: Element];

export function describeFilter(name: string, mac: string, networks: readonly string[]): Element {
  const parsed = networks.map((network) => parseNetwork(network)!);
  const [ipv4, ipv6] = (['ipv4', 'ipv6'] as const).map((kind) => parsed.filter(({ base }) => base.kind() === kind));
  const rules: Rule[] = [['drop', element('mac', { match: 'no', srcmacaddr: mac })]];
  for (const { base, prefixLength } of ipv4!) {
    const [address, mask] = [base.toString(), prefixLength];
    const sender = { hwtype: 1, protocoltype: 0x0800, arpsrcmacaddr: mac };
    rules.push(
      ['accept', element('arp', { ...sender, arpsrcipaddr: address, arpsrcipmask: mask })],
      // Asks whether anyone else has the address.
      ['accept', element('arp', { ...sender, arpsrcipaddr: unspecified4!, arpdstipaddr: address, arpdstipmask: mask })],
    );
  }
  const dhcpRequest = { protocol: 'udp', srcportstart: 68, dstportstart: 67 };
  rules.push(
    ['accept', element('ip', { srcipaddr: unspecified4!, dstipaddr: broadcast4!, ...dhcpRequest })],
    ['drop', element('ip', { protocol: 'udp', srcportstart: 67 })],
    ['drop', element('ipv6', { protocol: 'udp', srcportstart: 547 })],
    ['drop', element('ipv6', { protocol: 'icmpv6', type: icmp.routerAdvertisement })],
    ['drop', element('ipv6', { protocol: 'icmpv6', type: icmp.redirect })],
  );
  const unspecified = { srcipaddr: unspecified6!, srcipmask: 128, protocol: 'icmpv6' };
  rules.push(
    ['accept', element('ipv6', { ...unspecified, type: icmp.firstQuestion, typeend: icmp.lastQuestion })],
    ['accept', element('ipv6', { ...unspecified, type: icmp.listenerReport })],
    ['accept', element('ipv6', { srcipaddr: linkLocalAddress(mac), srcipmask: 128 })],
  );
  for (const [protocol, list] of [
    ['ip', ipv4!],
    ['ipv6', ipv6!],
  ] as const)
    for (const { base, prefixLength } of list)
      rules.push(['accept', element(protocol, { srcipaddr: base.toString(), srcipmask: prefixLength })]);
  rules.push(['drop', element('mac')]);
  return element(
    'filter',
    { name, chain: 'root' },
    element('uuid', {}, filterUuid(name).toString('hex')),
    ...rules.map(([action, match], index) =>
      element('rule', { action, direction: 'out', priority: firstPriority + index }, match),
    ),
  );
}

/** libvirt replaces a filter only if the UUID is the same, so it follows from the name. */
export function filterUuid(name: string): Buffer {
  return createHash('sha256').update(`network filter of ${name}`).digest().subarray(0, 16);
}

/** Returns the address that a system derives from its MAC address (RFC 4291, appendix A). */
function linkLocalAddress(mac: string): string {
  const bytes = mac.split(':').map((digits) => Number.parseInt(digits, 16));
  const id = [bytes[0]! ^ 2, bytes[1]!, bytes[2]!, 0xff, 0xfe, ...bytes.slice(3)];
  return `fe80::${Buffer.from(id).toString('hex').match(/..../g)!.join(':')}`;
}

/** Returns false for a card that leads to no other machine, such as QEMU's user network. */
export function needsFilter(card: Element | undefined): card is Element {
  return card !== undefined && card.attributes['type'] !== 'user';
}

/** Returns false if the card already has the filter. */
export function addFilter(card: Element, name: string): boolean {
  // Open vSwitch and the like have no such ports.
  const canIsolate = card.attributes['type'] === 'bridge' && findPath(card, 'virtualport') === undefined;
  const isIsolated = !canIsolate || findPath(card, 'port')?.attributes['isolated'] === 'yes';
  if (isIsolated && findPath(card, 'filterref')?.attributes['filter'] === name) return false;
  replaceChild(card, 'filterref', element('filterref', { filter: name }));
  if (canIsolate) replaceChild(card, 'port', element('port', { isolated: 'yes' }));
  return true;
}
