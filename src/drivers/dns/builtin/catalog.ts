// A catalog zone (RFC 9432): a zone that lists all others, so that secondaries add and remove zones automatically. It
// is generated from the zone list for every transfer.
import { contentToWire } from '#protocols/dns/rdata.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';
import { rrTypes } from '#protocols/dns/types.ts';
import { buildNodes, selectNodes, selectNodesTo, type Zone, type ZoneSource } from './source.ts';

const schemaVersion = '2';
const catalogTtlSeconds = 0;

/** Returns a source with the same zones and their catalog under `name`. */
export function withCatalog(source: ZoneSource, name: string): ZoneSource {
  const catalog: Zone = { id: 'catalog', name, hidden: true };
  const catalogNodes = async () => buildNodes({ name, rrsets: await catalogRrsets(name, source) });
  return {
    findZone: (names) => (names.includes(name) ? catalog : source.findZone(names)),
    async nodesAt(zone, names) {
      if (zone !== catalog) return source.nodesAt(zone, names);
      return selectNodes(await catalogNodes(), names);
    },
    async nodesTo(zone, queried) {
      if (zone !== catalog) return source.nodesTo(zone, queried);
      return selectNodesTo(await catalogNodes(), zone, queried);
    },
    wholeZone: (zone) => (zone === catalog ? catalogRrsets(name, source) : source.wholeZone(zone)),
    changesSince: (zone, serial, soa) => (zone === catalog ? undefined : source.changesSince?.(zone, serial, soa)),
    signing: (zone) => (zone === catalog ? undefined : source.signing?.(zone)),
    zones: () => source.zones(),
    zonesSerial: () => source.zonesSerial(),
  };
}

async function catalogRrsets(name: string, source: ZoneSource): Promise<Rrset[]> {
  // Read first: a zone added in between is then listed early, and the next serial lists it again.
  const serial = await source.zonesSerial();
  const members = await source.zones();
  return [
    set(name, rrTypes.SOA, `invalid invalid ${serial} 3600 600 2419200 0`),
    set(name, rrTypes.NS, 'invalid'),
    set(`version.${name}`, rrTypes.TXT, schemaVersion),
    ...members.map((zone) => set(`z${zone.id}.zones.${name}`, rrTypes.PTR, `${zone.name}.`)),
  ];
}

function set(name: string, type: number, content: string): Rrset {
  return { name, type, ttl: catalogTtlSeconds, rdata: [contentToWire(type, content)] };
}
