// A name server as RFC 1034 section 4.3.2 describes it, by looking at every record of the zone for every question. Too slow to use, and
// simple enough to trust.
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { Reader } from '#protocols/dns/reader.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rcodes, rrTypes } from '#protocols/dns/types.ts';

/** Returns the answer to a question for a name in the zone, as lines of text. CNAMEs must lead out of the zone. */
export function referenceAnswer({ name: apex, rrsets }: ZoneContent, name: string, type: number): object {
  const at = (owner: string): Rrset[] => rrsets.filter((set) => set.name === owner);
  const exists = (owner: string): boolean => rrsets.some((set) => set.name === owner || set.name.endsWith(`.${owner}`));
  const above = (owner: string): string[] =>
    owner === apex ? [apex] : [owner, ...above(owner.slice(owner.indexOf('.') + 1))];
  const soa = at(apex).filter((set) => set.type === rrTypes.SOA);

  const cut = above(name)
    .toReversed()
    .filter((owner) => owner !== apex && !(owner === name && type === rrTypes.DS))
    .flatMap(at)
    .find((set) => set.type === rrTypes.NS);
  if (cut !== undefined) {
    const servers = cut.rdata.map((data) => new Reader(data).name());
    const glue = servers.flatMap(at).filter((set) => set.type === rrTypes.A || set.type === rrTypes.AAAA);
    return { rcode: rcodes.NOERROR, answers: [], authorities: linesOf([cut]), additionals: linesOf(glue) };
  }

  const encloser = above(name).find(exists)!;
  const owner = encloser === name ? name : `*.${encloser}`;
  if (!exists(owner)) return { rcode: rcodes.NXDOMAIN, answers: [], authorities: linesOf(soa), additionals: [] };
  const node = at(owner).map((set) => ({ ...set, name }));
  const answers = node.filter((set) => set.type === type || set.type === rrTypes.CNAME);
  const authorities = answers.length === 0 ? soa : [];
  return { rcode: rcodes.NOERROR, answers: linesOf(answers), authorities: linesOf(authorities), additionals: [] };
}

export function linesOf(sets: readonly Rrset[]): string[] {
  return sets
    .flatMap((set) =>
      set.rdata.map((data) => `${set.name} ${set.ttl} ${set.type} ${Buffer.from(data).toString('hex')}`),
    )
    .sort();
}
