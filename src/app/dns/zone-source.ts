// The database as the built-in name server sees it. Every question costs a bounded number of reads, whatever the name:
// at most one for the zone and three within it.
import type { Zone, ZoneSource } from '#drivers/dns/builtin/source.ts';
import { wildcardName } from '#drivers/dns/builtin/source.ts';
import type { Reader } from '#store/engine/reader.ts';
import * as store from '#store/dns/zone-source.ts';
import { ancestorNames } from '#protocols/dns/name.ts';
import { groupSets } from './record-sets.ts';

export function dnsSource(reader: Reader): ZoneSource {
  const nodesAt = async (zone: Zone, names: readonly string[]) =>
    Map.groupBy(groupSets(await store.sourceRecords(reader, Number(zone.id), names)), ({ name }) => name);
  return {
    async findZone(names) {
      const zones = await store.sourceZones(reader, names);
      for (const name of zones.length === 0 ? [] : names) {
        const zone = zones.find((candidate) => candidate.name === name);
        if (zone !== undefined) return zoneShape(zone);
      }
      return undefined;
    },
    nodesAt,
    async nodesTo(zone, name) {
      const names = ancestorNames(name, zone.name);
      const parent = await store.sourceDeepestParent(reader, Number(zone.id), names);
      const depth = names.indexOf(parent);
      // Of the names below the deepest parent, only its own child can exist: any deeper one would have a parent.
      const possible = names.slice(Math.max(depth - 1, 0));
      const wildcard = wildcardName(parent);
      const nodes = await nodesAt(zone, [...possible, wildcard]);
      for (const ancestor of names.slice(depth)) if (!nodes.has(ancestor)) nodes.set(ancestor, []);
      const needsWildcard = depth > 0 && !nodes.has(possible[0]!) && !nodes.has(wildcard);
      if (needsWildcard && (await store.sourceHasBelow(reader, Number(zone.id), wildcard))) nodes.set(wildcard, []);
      return nodes;
    },
    wholeZone: async (zone) => groupSets(await store.sourceWholeZone(reader, Number(zone.id))),
    zones: async () => (await store.sourceAllZones(reader)).map(zoneShape),
    zonesSerial: () => store.sourceZonesSerial(reader),
  };
}

function zoneShape({ id, name }: store.SourceZone): Zone {
  return { id: String(id), name };
}
