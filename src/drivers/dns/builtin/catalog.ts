// A catalog zone (RFC 9432): one zone that lists all others, so that secondaries take on new zones and drop deleted ones by
// themselves. It is made from the zone list at every transfer; nothing is stored.
import { contentToWire } from '#wire/dns/rdata.ts';
import type { Rrset } from '#wire/dns/rrset.ts';
import { TYPE } from '#wire/dns/types.ts';
import { chainOfNames } from '#wire/dns/name.ts';
import type { Zone, ZoneSource } from './source.ts';

const SCHEMA_VERSION = '2';
const TTL_SECONDS = 0;

/** The same zones, and the catalog of them under `name`. */
export function withCatalog(source: ZoneSource, name: string): ZoneSource {
  const catalog: Zone = { id: 'catalog', name, hidden: true };
  return {
    zoneOf: (names) => (names.includes(name) ? catalog : source.zoneOf(names)),
    async nodes(zone, names) {
      if (zone !== catalog) return source.nodes(zone, names);
      return pick(names, await rrsetsOf(name, source), name);
    },
    wholeZone: (zone) => (zone === catalog ? rrsetsOf(name, source) : source.wholeZone(zone)),
    zones: () => source.zones(),
    zonesSerial: () => source.zonesSerial(),
  };
}

async function rrsetsOf(name: string, source: ZoneSource): Promise<Rrset[]> {
  // The serial first: a zone added in between is then listed early, and the next serial lists it again.
  const serial = await source.zonesSerial();
  const members = await source.zones();
  return [
    set(name, TYPE.SOA, `invalid invalid ${serial} 3600 600 2419200 0`),
    set(name, TYPE.NS, 'invalid'),
    set(`version.${name}`, TYPE.TXT, SCHEMA_VERSION),
    ...members.map((zone) => set(`z${zone.id}.zones.${name}`, TYPE.PTR, `${zone.name}.`)),
  ];
}

function set(name: string, type: number, content: string): Rrset {
  return { name, type, ttl: TTL_SECONDS, rdata: [contentToWire(type, content)] };
}

function pick(names: readonly string[], rrsets: readonly Rrset[], top: string): Map<string, Rrset[]> {
  const wanted = new Set(names);
  const found = new Map<string, Rrset[]>();
  for (const rrset of rrsets) {
    for (const name of chainOfNames(rrset.name, top)) {
      if (!wanted.has(name)) continue;
      const at = found.get(name) ?? [];
      if (name === rrset.name) at.push(rrset);
      found.set(name, at);
    }
  }
  return found;
}
