// What an authoritative server answers (RFC 1034 section 4.3.2, RFC 4592, RFC 2308): pure in the question and the zones,
// with no socket in sight. Additional records are added only where a referral cannot work without them.
import { chainOfNames, isWithin } from '#wire/dns/name.ts';
import { Reader } from '#wire/dns/reader.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { RCODE, TYPE } from '#wire/dns/types.ts';
import type { Zone, ZoneSource } from './source.ts';

export interface Answer {
  readonly rcode: number;
  readonly authoritative: boolean;
  /** Set where the answer is withheld and must be asked for by TCP. */
  readonly truncated?: true;
  readonly answers: readonly Rrset[];
  readonly authorities: readonly Rrset[];
  readonly additionals: readonly Rrset[];
}

interface Asked {
  readonly name: string;
  readonly type: number;
  /** Asked only where it matters: for nearly all questions it does not. */
  readonly maySeeHidden: () => boolean;
}

/** More aliases in a row are taken for a circle. */
const MAX_ALIASES = 10;

export const REFUSED: Answer = plain(RCODE.REFUSED);
export const SERVFAIL: Answer = plain(RCODE.SERVFAIL);

function plain(rcode: number): Answer {
  return { rcode, authoritative: false, answers: [], authorities: [], additionals: [] };
}

export async function answerQuestion(asked: Asked, source: ZoneSource): Promise<Answer> {
  const answers: Rrset[] = [];
  let { name } = asked;
  for (;;) {
    const zone = await findZone(name, asked.type, source);
    const isOurs = zone && (!zone.hidden || asked.maySeeHidden());
    if (!isOurs && answers.length === 0) return REFUSED;
    if (answers.length > MAX_ALIASES) return { ...SERVFAIL, authoritative: true };
    if (!isOurs) {
      // The alias leads out of our zones; where it ends is for others to say.
      return { rcode: RCODE.NOERROR, authoritative: true, answers, authorities: [], additionals: [] };
    }
    const found = await findInZone(zone, name, asked.type, source);
    switch (found.kind) {
      case 'broken':
        return SERVFAIL;
      case 'referral':
        return { ...found, rcode: RCODE.NOERROR, authoritative: answers.length > 0, answers };
      case 'nothing':
        return { rcode: found.rcode, authoritative: true, answers, authorities: [found.soa], additionals: [] };
      case 'records':
        answers.push(...found.rrsets);
        return { rcode: RCODE.NOERROR, authoritative: true, answers, authorities: [], additionals: [] };
      case 'alias':
        answers.push(found.rrset);
        name = found.target;
    }
  }
}

/** A DS record belongs to the parent's side of a zone cut, so the zone of that very name is asked last. */
async function findZone(name: string, type: number, source: ZoneSource): Promise<Zone | undefined> {
  const chain = chainOfNames(name);
  if (type !== TYPE.DS) return source.zoneOf(chain);
  return (await source.zoneOf(chain.slice(1))) ?? source.zoneOf(chain);
}

type Found =
  | { kind: 'records'; rrsets: readonly Rrset[] }
  | { kind: 'alias'; rrset: Rrset; target: string }
  | { kind: 'nothing'; rcode: number; soa: Rrset }
  | { kind: 'referral'; authorities: readonly Rrset[]; additionals: readonly Rrset[] }
  | { kind: 'broken' };

async function findInZone(zone: Zone, name: string, type: number, source: ZoneSource): Promise<Found> {
  const chain = chainOfNames(name, zone.name);
  const wildcards = chain.slice(1).map(wildcardOf);
  const nodes = await source.nodes(zone, [...chain, ...wildcards]);
  const soa = nodes.get(zone.name)?.find((rrset) => rrset.type === TYPE.SOA);
  if (!soa) return { kind: 'broken' };

  const cut = findCut(chain, type, nodes);
  if (cut) return { kind: 'referral', authorities: [cut], additionals: await glueOf(zone, cut, source) };

  const exact = nodes.get(name);
  if (exact) return fromNode(exact, type, soa);

  const encloser = chain.find((ancestor) => nodes.has(ancestor)) ?? zone.name;
  const wildcard = nodes.get(wildcardOf(encloser));
  if (!wildcard) return { kind: 'nothing', rcode: RCODE.NXDOMAIN, soa: negativeSoa(soa) };
  return fromNode(
    wildcard.map(({ type, ttl, rdata }) => ({ name, type, ttl, rdata })),
    type,
    soa,
  );
}

function wildcardOf(name: string): string {
  return name === '' ? '*' : `*.${name}`;
}

/** The topmost delegation on the way to the name. The DS of a cut is ours to answer, all else there is the child's. */
function findCut(
  chain: readonly string[],
  type: number,
  nodes: ReadonlyMap<string, readonly Rrset[]>,
): Rrset | undefined {
  for (let index = chain.length - 2; index >= 0; index--) {
    if (index === 0 && type === TYPE.DS) return undefined;
    const cut = nodes.get(chain[index]!)?.find((rrset) => rrset.type === TYPE.NS);
    if (cut) return cut;
  }
  return undefined;
}

function fromNode(node: readonly Rrset[], type: number, soa: Rrset): Found {
  if (type === TYPE.ANY && node.length > 0) return { kind: 'records', rrsets: node };
  const alias = node.find((rrset) => rrset.type === TYPE.CNAME);
  if (alias && type !== TYPE.CNAME) return { kind: 'alias', rrset: alias, target: nameIn(alias.rdata[0]!) };
  const rrsets = node.filter((rrset) => rrset.type === type);
  if (rrsets.length > 0) return { kind: 'records', rrsets };
  return { kind: 'nothing', rcode: RCODE.NOERROR, soa: negativeSoa(soa) };
}

/** How long a "no" may be kept: the lesser of the SOA's TTL and its minimum field (RFC 2308 section 3). */
function negativeSoa(soa: Rrset): Rrset {
  const rdata = soa.rdata[0]!;
  const minimum = new Reader(rdata, rdata.length - 4).u32();
  return minimum < soa.ttl ? { ...soa, ttl: minimum } : soa;
}

async function glueOf(zone: Zone, delegation: Rrset, source: ZoneSource): Promise<Rrset[]> {
  const servers = delegation.rdata.map(nameIn).filter((name) => isWithin(name, zone.name));
  if (servers.length === 0) return [];
  const nodes = await source.nodes(zone, servers);
  return servers.flatMap((server) =>
    (nodes.get(server) ?? []).filter((rrset) => rrset.type === TYPE.A || rrset.type === TYPE.AAAA),
  );
}

function nameIn(rdata: Uint8Array): string {
  return new Reader(rdata).name();
}
