// Looks names up in the zones of one account, as resolvers would see them.
import type { AccountId } from '#store/account-id.ts';
import { firstNameBelow } from '#store/dns/aliases.ts';
import { recordsAtNames, type DnsRecord } from '#store/dns/records.ts';
import { zonesNamed, type Zone } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { ancestorNames, maxNameBytes, parseName, wireLength } from '#protocols/dns/name.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { addressTypes } from '#protocols/dns/zone-rules.ts';

type OwnName =
  | {
      readonly kind: 'addresses';
      readonly addresses: readonly Pick<DnsRecord, 'type' | 'rdata'>[];
      readonly ttl: number;
    }
  | { readonly kind: 'redirect'; readonly target: string }
  /** The account has no zone that answers for the name. */
  | { readonly kind: 'elsewhere' };

export async function lookUpOwn(queries: Queries, account: AccountId, name: string): Promise<OwnName> {
  const zone = (await zonesNamed(queries, ancestorNames(name)))
    .toSorted((left, right) => left.name.length - right.name.length)
    .at(-1);
  if (zone?.account_id !== account) return { kind: 'elsewhere' };
  const chain = ancestorNames(name, zone.name);
  const nodes = Map.groupBy(
    await recordsAtNames(queries, zone, [...chain, ...chain.slice(1).map((ancestor) => `*.${ancestor}`)]),
    (record) => record.name,
  );
  const recordOf = (owner: string, ...types: number[]) => nodes.get(owner)?.find(({ type }) => types.includes(type));
  if (chain.slice(0, -1).some((owner) => recordOf(owner, rrTypes.NS))) return { kind: 'elsewhere' };
  const dname = chain
    .slice(1)
    .map((owner) => recordOf(owner, rrTypes.DNAME))
    .find((record) => record !== undefined);
  if (dname !== undefined) {
    const labels = name.slice(0, -dname.name.length - 1);
    const target = [labels, parseName(dname.content)].filter((part) => part !== '').join('.');
    // Resolvers get YXDOMAIN.
    if (wireLength(target) > maxNameBytes) return { kind: 'addresses', addresses: [], ttl: 0 };
    return { kind: 'redirect', target };
  }
  const owner = await findNode(queries, zone, chain, nodes);
  const redirect = recordOf(owner, rrTypes.CNAME, rrTypes.ALIAS);
  if (redirect !== undefined) return { kind: 'redirect', target: parseName(redirect.content) };
  const records = (nodes.get(owner) ?? []).filter(({ type }) => addressTypes.has(type));
  const addresses = records.map(({ type, rdata }) => ({ type, rdata }));
  return { kind: 'addresses', addresses, ttl: Math.min(...records.map(({ ttl }) => ttl)) };
}

/** Returns the name itself if it exists, otherwise the wildcard below its closest existing ancestor (RFC 4592). */
async function findNode(
  queries: Queries,
  zone: Zone,
  chain: readonly string[],
  nodes: ReadonlyMap<string, readonly DnsRecord[]>,
): Promise<string> {
  for (const owner of chain) {
    const exists = nodes.has(owner) || (await firstNameBelow(queries, zone, owner)) !== undefined;
    if (exists) return owner === chain[0] ? owner : `*.${owner}`;
  }
  return zone.name;
}
