// Groups records of the database into the sets that name servers send.
import type { SourceRecord } from '#store/dns/zone-source.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { checkZone, type ZoneProblem } from '#protocols/dns/zone-rules.ts';

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

/** Returns what is wrong with the records at some names of a zone, which must include its apex and may come in any order. */
export function findProblem(zone: string, records: readonly SourceRecord[]): ZoneProblem | undefined {
  const sorted = records.toSorted((left, right) =>
    left.name === right.name ? left.type - right.type : left.name < right.name ? -1 : 1,
  );
  const setsAt = Map.groupBy(groupSets(sorted), ({ name }) => name);
  for (const [problem] of checkZone(zone, setsAt)) if (problem !== undefined) return problem;
  return undefined;
}
