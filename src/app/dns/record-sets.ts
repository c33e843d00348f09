// Groups records of the database into the sets that name servers send.
import type { SourceRecord } from '#store/dns/zone-source.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';

/** Records must come grouped by name and type. */
export function groupSets(records: readonly SourceRecord[]): Rrset[] {
  const sets: (Rrset & { rdata: Buffer[] })[] = [];
  for (const { name, type, ttl, rdata } of records) {
    const last = sets.at(-1);
    if (last !== undefined && last.type === type && last.name === name) last.rdata.push(rdata);
    else sets.push({ name, type, ttl, rdata: [rdata] });
  }
  return sets;
}
