// What is wrong with the netblocks and the name server of a site file, beyond its shape.
import type { Site } from '#contract/site.ts';
import { networkRange, networkText, type AddressRange } from '#kernel/address-ranges.ts';
import { addressText, parseNetwork } from '#kernel/addresses.ts';
import { parseName } from '#wire/dns/name.ts';

import { referenceIn } from './secrets.ts';
import type { PlacedFault } from './placed-fault.ts';

export function* networkFaults(site: Site): Iterable<PlacedFault> {
  yield* netblockFaults(site);
  yield* nameServerFaults(site);
}

function* netblockFaults({ netblocks = [], services = [] }: Site): Iterable<PlacedFault> {
  const serviceIds = new Set(services.map(({ id }) => id));
  const seen = new Set<string>();
  const assigned: { cidr: string; range: AddressRange; service: number }[] = [];
  for (const [index, { cidr, service, pool }] of netblocks.entries()) {
    const path = ['netblocks', index];
    const network = parseNetwork(cidr)!;
    const text = networkText(network);
    const range = networkRange(network);
    if (seen.has(text)) yield [[...path, 'cidr'], `netblock ${cidr} is there twice`];
    seen.add(text);
    if (service === undefined) continue;
    if (pool !== undefined) yield [[...path, 'pool'], 'what a service has is no pool'];
    if (!serviceIds.has(service)) yield [[...path, 'service'], `there is no service ${service}`];
    const other = assigned.find((one) => one.range.first <= range.last && range.first <= one.range.last);
    if (other !== undefined) yield [[...path, 'cidr'], `${cidr} and ${other.cidr} share addresses`];
    assigned.push({ cidr, range, service });
  }
  for (const [index, { id, ip }] of services.entries()) {
    const own = networkRange(parseNetwork(ip)!);
    const other = assigned.find(({ range, service }) => service !== id && contains(range, own));
    if (other !== undefined)
      yield [['services', index, 'ip'], `address ${ip} lies in ${other.cidr}, which service ${other.service} has`];
    const gateway = netblocks.find(
      (block) => block.gateway !== undefined && addressText(block.gateway) === addressText(ip),
    );
    if (gateway !== undefined) yield [['services', index, 'ip'], `address ${ip} is the gateway of ${gateway.cidr}`];
  }
}

function contains(outer: AddressRange, inner: AddressRange): boolean {
  return outer.first <= inner.first && inner.last <= outer.last;
}

function* nameServerFaults({ nameserver }: Site): Iterable<PlacedFault> {
  if (nameserver === undefined) return;
  const { listen, powerdns, transfer, secondaries = [] } = nameserver;
  const path = ['nameserver'];
  if (listen === undefined && powerdns === undefined) yield [path, 'needs listen, or powerdns'];
  for (const builtin of ['listen', 'transfer', 'secondaries', 'catalog'] as const) {
    if (powerdns !== undefined && nameserver[builtin] !== undefined)
      yield [[...path, builtin], `${builtin} is for the built-in name server; PowerDNS has its own settings`];
  }
  for (const [index, { secret }] of (transfer?.keys ?? []).entries()) {
    if (referenceIn(secret) === undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(secret))
      yield [[...path, 'transfer', 'keys', index, 'secret'], 'secret must be in base64'];
  }
  const keys = new Set((transfer?.keys ?? []).map(({ name }) => parseName(name)));
  for (const [index, { key }] of secondaries.entries()) {
    if (key !== undefined && !keys.has(parseName(key)))
      yield [[...path, 'secondaries', index, 'key'], `there is no key ${key} under transfer`];
  }
}
