// The unit that DNS answers, signs and replaces: all records of one type at one name, with one TTL (RFC 2181 section 5).

export interface Rrset {
  /** Canonical: lower case, no trailing dot. */
  readonly name: string;
  readonly type: number;
  readonly ttl: number;
  /** Record data in wire form, names not compressed. */
  readonly rdata: readonly Uint8Array[];
}

/** Gathers single records into sets, in the order of their first appearance; a set's TTL is that of its first record. */
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
