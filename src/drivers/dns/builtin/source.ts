// The zones of the built-in name server. The methods are designed so that a source can bound the cost of each, whatever
// the depth of the name or the number of zones.
import { ancestorNames } from '#protocols/dns/name.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import type { ZoneContent } from '../driver.ts';
import type { ZoneSigning } from './sign-set.ts';

export type Awaitable<T> = T | Promise<T>;

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
  /** Returns the RRsets at each of the names that has records. */
  nodesAt(zone: Zone, names: readonly string[]): Awaitable<ReadonlyMap<string, readonly Rrset[]>>;
  /**
   * Returns the RRsets at each name that exists on the way from the zone's apex to this name, and, if it does not exist
   * itself, at the wildcard below the last of them (RFC 4592 section 3.3.1). A name without records but with names below
   * it (an empty non-terminal) maps to an empty list.
   */
  nodesTo(zone: Zone, name: string): Awaitable<ReadonlyMap<string, readonly Rrset[]>>;
  /** Returns a consistent snapshot of all RRsets, in any order. */
  wholeZone(zone: Zone): Awaitable<readonly Rrset[]>;
  /** Returns what changed since the version with this serial; undefined if that is unknown or large. `soa` is the current one. */
  changesSince?(zone: Zone, serial: number, soa: Rrset): Awaitable<ZoneChanges | undefined>;
  /** Returns the keys of a zone that is signed here. */
  signing?(zone: Zone): Awaitable<ZoneSigning | undefined>;
  /** Returns all zones, for the catalog. */
  zones(): Awaitable<readonly Zone[]>;
  /** A serial that increases whenever a zone is added or removed. */
  zonesSerial(): Awaitable<number>;
}

export interface ZoneChanges {
  /** The SOA of the earlier version. */
  readonly formerSoa: Rrset;
  readonly removed: readonly Rrset[];
  readonly added: readonly Rrset[];
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

/** Finds the nodes of `nodesTo` from the apex down, so that the search ends where the zone does. */
export function selectNodesTo(nodes: ReturnType<typeof buildNodes>, zone: Zone, name: string): typeof nodes {
  const path: string[] = [];
  for (const next of ancestorNames(name, zone.name).toReversed()) {
    if (!nodes.has(next)) return selectNodes(nodes, [...path, wildcardName(path.at(-1) ?? zone.name)]);
    path.push(next);
  }
  return selectNodes(nodes, path);
}

export function wildcardName(name: string): string {
  return name === '' ? '*' : `*.${name}`;
}
