// The database as the built-in name server sees it.
import type { Zone, ZoneSource } from '#drivers/dns/builtin/source.ts';
import type { ZoneContent } from '#drivers/dns/driver.ts';
import type { Queries } from '#store/store.ts';
import {
  sourceAllZones,
  sourceHasBelow,
  sourceRecords,
  sourceWholeZone,
  sourceZones,
  type SourceRecord,
  type SourceZone,
} from '#store/dns/zone-source.ts';
import { zonesSerial } from '#store/dns/zones.ts';
import type { Rrset } from '#protocols/dns/rrset.ts';

export function dnsSource(queries: Queries): ZoneSource {
  return {
    async findZone(names) {
      const zones = await sourceZones(queries, names);
      for (const name of zones.length === 0 ? [] : names) {
        const zone = zones.find((candidate) => candidate.name === name);
        if (zone !== undefined) return zoneShown(zone);
      }
      return undefined;
    },
    async nodes(zone, names) {
      const nodes = new Map<string, Rrset[]>();
      for (const set of setsOf(await sourceRecords(queries, Number(zone.id), names))) {
        const node = nodes.get(set.name);
        if (node === undefined) nodes.set(set.name, [set]);
        else node.push(set);
      }
      // What is below a name matters only if the first name, which was asked for, has no records.
      if (!nodes.has(names[0] ?? '')) await addEmptyNodes(queries, zone, names, nodes);
      return nodes;
    },
    wholeZone: async (zone) => setsOf(await sourceWholeZone(queries, Number(zone.id))),
    zones: async () => (await sourceAllZones(queries)).map(zoneShown),
    zonesSerial: () => zonesSerial(queries),
  };
}

async function addEmptyNodes(
  queries: Queries,
  zone: Zone,
  names: readonly string[],
  nodes: Map<string, Rrset[]>,
): Promise<void> {
  for (const name of names) {
    if (!nodes.has(name) && (await sourceHasBelow(queries, Number(zone.id), name))) nodes.set(name, []);
  }
}

/** Returns the zone's content from the database, for an external name server; undefined if there is none of that name. */
export async function wantedZone(queries: Queries, name: string): Promise<ZoneContent | undefined> {
  const [zone] = await sourceZones(queries, [name]);
  return zone && { name, rrsets: setsOf(await sourceWholeZone(queries, zone.id)) };
}

function zoneShown({ id, name }: SourceZone): Zone {
  return { id: String(id), name };
}

/** Records come grouped by name and type. */
function setsOf(records: readonly SourceRecord[]): Rrset[] {
  const sets: (Rrset & { rdata: Buffer[] })[] = [];
  for (const { name, type, ttl, rdata } of records) {
    const last = sets.at(-1);
    if (last !== undefined && last.type === type && last.name === name) last.rdata.push(rdata);
    else sets.push({ name, type, ttl, rdata: [rdata] });
  }
  return sets;
}
