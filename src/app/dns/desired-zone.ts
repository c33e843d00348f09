// A zone as an external name server should serve it.
import type { ZoneContent } from '#drivers/dns/driver.ts';
import { recordSets } from '#store/dns/records.ts';
import { zonesNamed } from '#store/dns/zones.ts';
import type { Queries } from '#store/store.ts';
import { groupSets } from './record-sets.ts';

/** Returns the zone's content from the database; undefined if there is none of that name. */
export async function desiredZone(queries: Queries, name: string): Promise<ZoneContent | undefined> {
  const [zone] = await zonesNamed(queries, [name]);
  return zone && { name, rrsets: groupSets(await recordSets(queries, zone)) };
}
