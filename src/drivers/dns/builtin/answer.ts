// Computes authoritative answers (RFC 1034 section 4.3.2, RFC 4592, RFC 2308, RFC 6672) from the question and the
// zones. Additional records are included only if a referral depends on them. `fast-answer.ts` does the same for plain
// queries, from bytes to bytes.
import { ancestorNames, isWithin, maxNameBytes, wireLength } from '#protocols/dns/name.ts';
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';
import { Writer } from '#protocols/dns/writer.ts';
import { wildcardName, type Zone, type ZoneSource } from './source.ts';

export interface Answer {
  readonly rcode: number;
  readonly authoritative: boolean;
  /** The answer is withheld, and the resolver must retry over TCP. */
  readonly truncated?: true;
  readonly answers: readonly Rrset[];
  readonly authorities: readonly Rrset[];
  readonly additionals: readonly Rrset[];
}

interface Query {
  readonly name: string;
  readonly type: number;
  /** A callback, because few questions need it. */
  readonly maySeeHidden: () => boolean;
}

/** Longer CNAME chains count as loops. */
export const maxAliases = 10;
/** More than anybody delegates to. */
export const maxGlueServers = 100;

export const serverFailure: Answer = emptyAnswer(rcodes.SERVFAIL);

export function emptyAnswer(rcode: number): Answer {
  return { rcode, authoritative: false, answers: [], authorities: [], additionals: [] };
}

export async function answerQuestion(query: Query, source: ZoneSource): Promise<Answer> {
  const answers: Rrset[] = [];
  let { name } = query;
  for (let aliases = 0; ; aliases++) {
    const zone = await findZone(name, query.type, source);
    const isVisible = zone && (!zone.hidden || query.maySeeHidden());
    if (!isVisible && aliases === 0) return emptyAnswer(rcodes.REFUSED);
    if (aliases > maxAliases) return { ...serverFailure, authoritative: true };
    if (!isVisible) {
      // The CNAME points outside our zones; the resolver continues elsewhere.
      return { rcode: rcodes.NOERROR, authoritative: true, answers, authorities: [], additionals: [] };
    }
    const result = await findInZone(zone, name, query.type, source);
    switch (result.kind) {
      case 'broken':
        return serverFailure;
      case 'referral':
        return { ...result, rcode: rcodes.NOERROR, authoritative: aliases > 0, answers };
      case 'nothing':
        return { rcode: result.rcode, authoritative: true, answers, authorities: [result.soa], additionals: [] };
      case 'records':
        answers.push(...result.rrsets);
        return { rcode: result.rcode, authoritative: true, answers, authorities: [], additionals: [] };
      case 'alias':
        answers.push(...result.rrsets);
        name = result.target;
    }
  }
}

/** DS records belong to the parent's side of a zone cut, so the zone of that name is tried last. */
export async function findZone(name: string, type: number, source: ZoneSource): Promise<Zone | undefined> {
  const chain = ancestorNames(name);
  if (type !== rrTypes.DS) return source.findZone(chain);
  return (await source.findZone(chain.slice(1))) ?? source.findZone(chain);
}

type LookupResult =
  | { kind: 'records'; rcode: number; rrsets: readonly Rrset[] }
  | { kind: 'alias'; rrsets: readonly Rrset[]; target: string }
  | { kind: 'nothing'; rcode: number; soa: Rrset }
  | { kind: 'referral'; authorities: readonly Rrset[]; additionals: readonly Rrset[] }
  | { kind: 'broken' };

async function findInZone(zone: Zone, name: string, type: number, source: ZoneSource): Promise<LookupResult> {
  const chain = ancestorNames(name, zone.name);
  const nodes = await source.nodesTo(zone, name);
  const soa = nodes.get(zone.name)?.find((rrset) => rrset.type === rrTypes.SOA);
  if (!soa) return { kind: 'broken' };

  const barrier = findBarrier(chain, type, nodes);
  if (barrier?.type === rrTypes.DNAME) return redirect(barrier, name);
  if (barrier) return { kind: 'referral', authorities: [barrier], additionals: await findGlue(zone, barrier, source) };

  const exact = nodes.get(name);
  if (exact) return lookupInNode(exact, type, soa);

  const encloser = chain.find((ancestor) => nodes.has(ancestor)) ?? zone.name;
  const wildcard = nodes.get(wildcardName(encloser));
  if (!wildcard) return { kind: 'nothing', rcode: rcodes.NXDOMAIN, soa: negativeSoa(soa) };
  return lookupInNode(
    wildcard.map(({ type, ttl, rdata }) => ({ name, type, ttl, rdata })),
    type,
    soa,
  );
}

/**
 * Returns the topmost delegation (NS) above or at the name, or redirection (DNAME) above it. The DS of a delegation is
 * ours to answer; everything else belongs to the child.
 */
function findBarrier(
  chain: readonly string[],
  type: number,
  nodes: ReadonlyMap<string, readonly Rrset[]>,
): Rrset | undefined {
  for (let index = chain.length - 1; index >= 0; index--) {
    const node = nodes.get(chain[index]!);
    const isApex = index === chain.length - 1;
    const isOwnDs = index === 0 && type === rrTypes.DS;
    const cut = isApex || isOwnDs ? undefined : node?.find((rrset) => rrset.type === rrTypes.NS);
    const redirection = index === 0 ? undefined : node?.find((rrset) => rrset.type === rrTypes.DNAME);
    if (cut ?? redirection) return cut ?? redirection;
  }
  return undefined;
}

/** Returns the DNAME and the CNAME that follows from it. A name that becomes too long is YXDOMAIN. */
function redirect(dname: Rrset, name: string): LookupResult {
  const target = parseRdataName(dname.rdata[0]!);
  const labels = name.slice(0, name.length - dname.name.length - (dname.name === '' ? 0 : 1));
  const newName = [labels, target].filter((part) => part !== '').join('.');
  if (wireLength(newName) > maxNameBytes) return { kind: 'records', rcode: rcodes.YXDOMAIN, rrsets: [dname] };
  const rdata = new Writer(64);
  rdata.name(newName);
  const alias: Rrset = { name, type: rrTypes.CNAME, ttl: dname.ttl, rdata: [rdata.finish()] };
  return { kind: 'alias', rrsets: [dname, alias], target: newName };
}

function lookupInNode(node: readonly Rrset[], type: number, soa: Rrset): LookupResult {
  const { NOERROR: rcode } = rcodes;
  // One set for all types, so that replies stay small (RFC 8482 section 4.1).
  if (type === rrTypes.ANY && node.length > 0) return { kind: 'records', rcode, rrsets: node.slice(0, 1) };
  const alias = node.find((rrset) => rrset.type === rrTypes.CNAME);
  if (alias && type !== rrTypes.CNAME)
    return { kind: 'alias', rrsets: [alias], target: parseRdataName(alias.rdata[0]!) };
  const rrsets = node.filter((rrset) => rrset.type === type);
  if (rrsets.length > 0) return { kind: 'records', rcode, rrsets };
  return { kind: 'nothing', rcode: rcodes.NOERROR, soa: negativeSoa(soa) };
}

/** Limits negative caching to the lesser of the SOA's TTL and its minimum field (RFC 2308 section 3). */
function negativeSoa(soa: Rrset): Rrset {
  const rdata = soa.rdata[0]!;
  const minimum = new Reader(rdata, rdata.length - 4).u32();
  return minimum < soa.ttl ? { ...soa, ttl: minimum } : soa;
}

async function findGlue(zone: Zone, delegation: Rrset, source: ZoneSource): Promise<Rrset[]> {
  const names = delegation.rdata.map(parseRdataName).filter((name) => isWithin(name, zone.name));
  const servers = names.slice(0, maxGlueServers);
  if (servers.length === 0) return [];
  const nodes = await source.nodesAt(zone, servers);
  return servers.flatMap((server) =>
    (nodes.get(server) ?? []).filter((rrset) => rrset.type === rrTypes.A || rrset.type === rrTypes.AAAA),
  );
}

function parseRdataName(rdata: Uint8Array): string {
  return new Reader(rdata).name();
}
