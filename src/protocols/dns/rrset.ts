// An RRset: all records of one type at one owner, with one TTL (RFC 2181 section 5). DNS answers, signs and replaces it
// as a unit.

export interface Rrset {
  /** Canonical: lower case, no trailing dot. */
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  /** Wire-format rdata, without name compression. */
  readonly rdata: readonly Uint8Array[];
}

/** Groups records into RRsets, in order of first appearance; the TTL is that of the first record. */
export function groupRecords(records: Iterable<Rrset>): Rrset[] {
  const sets = new Map<string, { name: string; type: number; ttl: number; rdata: Uint8Array[] }>();
  for (const { name, type, ttl, rdata } of records) {
    const key = `${type} ${name}`;
    const set = sets.get(key);
    if (set) set.rdata.push(...rdata);
    else sets.set(key, { name, type, ttl, rdata: [...rdata] });
  }
  return [...sets.values()];
}
