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

/** Returns the same text for all records of a set. */
export function setKey({ name, type }: Pick<Rrset, 'name' | 'type'>): string {
  return `${type} ${name}`;
}

/** Groups records into RRsets, in order of first appearance; the TTL is that of the first record. */
export function groupRecords(records: Iterable<Rrset>): Rrset[] {
  const sets: SetsByKey = new Map();
  for (const record of records) addToSets(sets, record);
  return [...sets.values()];
}

export type SetsByKey = Map<string, Rrset & { readonly rdata: Uint8Array[] }>;

/** Adds one record, so that a caller can pause in a large zone. */
export function addToSets(sets: SetsByKey, { name, type, ttl, rdata }: Rrset): void {
  const key = setKey({ name, type });
  const set = sets.get(key);
  if (set) set.rdata.push(...rdata);
  else sets.set(key, { name, type, ttl, rdata: [...rdata] });
}
