// Checks the netblocks and the name server of a site file beyond the schema.
import type { Site } from '#contract/site/site.ts';
import { DisjointRanges, networkRange, networkText, type AddressRange } from '#lib/address-ranges.ts';
import { addressText, parseNetwork } from '#lib/addresses.ts';
import { contains } from '#lib/delivery.ts';
import { parseName } from '#protocols/dns/name.ts';
import { parseReference } from './secrets.ts';
import { createDuplicateCheck, type SiteProblem } from './site-problem.ts';

export function* checkNetwork(site: Site): Iterable<SiteProblem> {
  yield* checkNetblocks(site);
  yield* checkNameServer(site);
}

function* checkNetblocks({ netblocks = [], services = [], nullroutes }: Site): Iterable<SiteProblem> {
  const mainAddresses = new Map(services.map(({ id, ip }) => [id, ip]));
  const isDuplicate = createDuplicateCheck();
  const assigned = new DisjointRanges<AddressRange & { cidr: string; service: number }>();
  for (const [index, { cidr, service, pool, delivery }] of netblocks.entries()) {
    const path = ['netblocks', index];
    const network = parseNetwork(cidr)!;
    const range = networkRange(network);
    if (isDuplicate('netblock', networkText(network)))
      yield [[...path, 'cidr'], `netblock ${cidr} is defined twice; list each netblock once`];
    if (delivery === 'routed' && nullroutes?.router === undefined)
      yield [[...path, 'delivery'], 'delivery routed needs a router; add nullroutes.router'];
    if (service === undefined) continue;
    const main = mainAddresses.get(service);
    if (delivery === 'routed' && main !== undefined && contains(range, networkRange(parseNetwork(main)!)))
      yield [
        [...path, 'delivery'],
        `${cidr} contains the address of service ${service}, which others are routed to; use on-link`,
      ];
    if (pool !== undefined)
      yield [[...path, 'pool'], 'a netblock with a service cannot be a pool; remove pool or service'];
    if (!mainAddresses.has(service)) yield [[...path, 'service'], `unknown service ${service}; add it under services`];
    const [other] = assigned.overlapping(range);
    if (other !== undefined) yield [[...path, 'cidr'], `${cidr} overlaps ${other.cidr}; assign each address once`];
    else assigned.add({ cidr, ...range, service });
  }
  const gateways = new Map(
    netblocks.flatMap(({ cidr, gateway }) => (gateway === undefined ? [] : [[addressText(gateway), cidr] as const])),
  );
  for (const [index, { id, ip }] of services.entries()) {
    const [other] = assigned.overlapping(networkRange(parseNetwork(ip)!));
    if (other !== undefined && other.service !== id)
      yield [
        ['services', index, 'ip'],
        `address ${ip} is in ${other.cidr}, which belongs to service ${other.service}; use another address`,
      ];
    const gateway = gateways.get(addressText(ip));
    if (gateway !== undefined)
      yield [['services', index, 'ip'], `address ${ip} is the gateway of ${gateway}; use another address`];
  }
}

function* checkNameServer({ nameserver }: Site): Iterable<SiteProblem> {
  if (nameserver === undefined) return;
  const { listen, powerdns, transfer, secondaries = [] } = nameserver;
  const path = ['nameserver'];
  if (listen === undefined && powerdns === undefined) yield [path, 'nameserver needs listen or powerdns'];
  // With `listen`, the built-in name server takes updates next to PowerDNS.
  for (const builtin of ['transfer', 'secondaries', 'catalog'] as const) {
    if (powerdns !== undefined && nameserver[builtin] !== undefined)
      yield [
        [...path, builtin],
        `${builtin} is for the built-in name server; remove it and configure PowerDNS instead`,
      ];
  }
  for (const [index, { secret }] of (transfer?.keys ?? []).entries()) {
    if (parseReference(secret) === undefined && !/^[A-Za-z0-9+/]+={0,2}$/.test(secret))
      yield [[...path, 'transfer', 'keys', index, 'secret'], 'secret must be in base64'];
  }
  const keys = new Set((transfer?.keys ?? []).map(({ name }) => parseName(name)));
  for (const [index, { key }] of secondaries.entries()) {
    if (key !== undefined && !keys.has(parseName(key)))
      yield [[...path, 'secondaries', index, 'key'], `unknown key ${key}; add it under transfer.keys`];
  }
}
