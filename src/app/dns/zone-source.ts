// The database as the built-in name server sees it.
import type { Zone, ZoneSource } from '#drivers/dns/builtin/source.ts';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import type { Queries } from '#store/store.ts';
import * as store from '#store/dns/zone-source.ts';
import { zonesSerial } from '#store/dns/zones.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';

export function dnsSource(queries: Queries): ZoneSource {
  return {
    async findZone(names) {
      const zones = await store.sourceZones(queries, names);
      for (const name of zones.length === 0 ? [] : names) {
        const zone = zones.find((candidate) => candidate.name === name);
        if (zone !== undefined) return zoneShape(zone);
      }
      return undefined;
    },
    async nodes(zone, names) {
      const sets = setsOf(await store.sourceRecords(queries, Number(zone.id), names));
      const nodes = Map.groupBy(sets, ({ name }) => name);
      // What is below a name matters only if the first name, which was asked for, has no records.
      if (nodes.has(names[0] ?? '')) return nodes;
      for (const name of names)
        if (!nodes.has(name) && (await store.sourceHasBelow(queries, Number(zone.id), name))) nodes.set(name, []);
      return nodes;
    },
    wholeZone: async (zone) => setsOf(await store.sourceWholeZone(queries, Number(zone.id))),
    zones: async () => (await store.sourceAllZones(queries)).map(zoneShape),
    zonesSerial: () => zonesSerial(queries),
  };
}

/**
 * Returns the zone's content from the database, for an external name server; undefined if there is none of that name.
 */
export async function desiredZone(queries: Queries, name: string): Promise<ZoneContent | undefined> {
  const [zone] = await store.sourceZones(queries, [name]);
  return zone && { name, rrsets: setsOf(await store.sourceWholeZone(queries, zone.id)) };
}

function zoneShape({ id, name }: store.SourceZone): Zone {
  return { id: String(id), name };
}

/** Records come grouped by name and type. */
function setsOf(records: readonly store.SourceRecord[]): Rrset[] {
  const sets: (Rrset & { rdata: Buffer[] })[] = [];
  for (const { name, type, ttl, rdata } of records) {
    const last = sets.at(-1);
    if (last !== undefined && last.type === type && last.name === name) last.rdata.push(rdata);
    else sets.push({ name, type, ttl, rdata: [rdata] });
  }
  return sets;
}
