// The zones of the built-in name server. The methods are designed for SQL: each is one indexed round trip, and
// a query needs two, whatever the depth of the name or the number of zones.
import { ancestorNames } from '#protocols/dns/name.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import type { ZoneContent } from '../driver.ts';

type Awaitable<T> = T | Promise<T>;

export interface Zone {
  /** Never reused after deletion: secondaries use it to tell a recreated zone from an existing one. */
  readonly id: string;
  readonly name: string;
  /** Visible only to those who may transfer it. */
  readonly hidden?: true;
}

export interface ZoneSource {
  /** Returns the first of these names that is a zone. They lead from the queried name to the root. */
  findZone(names: readonly string[]): Awaitable<Zone | undefined>;
  /**
   * Returns the RRsets at each name. A name without records but with names below it (an empty non-terminal) maps to an
   * empty list; a name that does not exist is absent. If the first name has records, empty non-terminals among the
   * others may be omitted, because nothing depends on them and they are expensive to find.
   */
  nodes(zone: Zone, names: readonly string[]): Awaitable<ReadonlyMap<string, readonly Rrset[]>>;
  /** Returns a consistent snapshot of all RRsets, in any order. */
  wholeZone(zone: Zone): Awaitable<readonly Rrset[]>;
  /** Returns all zones, for the catalog. */
  zones(): Awaitable<readonly Zone[]>;
  /** A serial that increases whenever a zone is added or removed. */
  zonesSerial(): Awaitable<number>;
}

/** The RRsets at each name of a zone, with an empty list at empty non-terminals. */
export function buildNodes(zone: ZoneContent): ReadonlyMap<string, readonly Rrset[]> {
  const nodes = new Map<string, Rrset[]>();
  for (const rrset of zone.rrsets) {
    for (const name of ancestorNames(rrset.name, zone.name)) if (!nodes.has(name)) nodes.set(name, []);
    nodes.get(rrset.name)!.push(rrset);
  }
  return nodes;
}

export function selectNodes(nodes: ReturnType<typeof buildNodes>, names: readonly string[]): typeof nodes {
  return new Map(names.filter((name) => nodes.has(name)).map((name) => [name, nodes.get(name)!]));
}
