// Where the built-in name server finds its zones. The questions are shaped for SQL: each is one round trip on an index, and
// a whole query needs two of them, whatever the depth of the name and the number of zones.
import type { Rrset } from '#wire/dns/rrset.ts';

export type Awaitable<T> = T | Promise<T>;

export interface Zone {
  /** Never used again once the zone is deleted: secondaries tell by it a zone made anew from one that stayed. */
  readonly id: string;
  readonly name: string;
  /** Only who may transfer it may ask about it. */
  readonly hidden?: true;
}

export interface ZoneSource {
  /** The first of these names that is a zone; they lead from the name that was asked to the root. May be none. */
  zoneOf(names: readonly string[]): Awaitable<Zone | undefined>;
  /**
   * What stands at each of these names. A name without records but with names below it (an empty non-terminal) maps to an
   * empty list; a name that does not exist is not in the map. Where the first name has records of its own, empty
   * non-terminals among the others may be left out: nothing then depends on them, and they are dear to find.
   */
  nodes(zone: Zone, names: readonly string[]): Awaitable<ReadonlyMap<string, readonly Rrset[]>>;
  /** Every set of the zone at one moment, in any order. */
  wholeZone(zone: Zone): Awaitable<readonly Rrset[]>;
  /** Every zone, for the catalog. */
  zones(): Awaitable<readonly Zone[]>;
  /** A serial that goes forward whenever a zone is added or removed. */
  zonesSerial(): Awaitable<number>;
}
