// Zones that are being published to a name server elsewhere, or may have been: a row is written before the name server is
// told, and taken away in the transaction that makes the change, or once the zone was published as it stands here. While a
// row's lease runs, its holder is the one writer of that zone in the whole cluster.
import type { Selectable } from 'kysely';
import type { Queries } from '../store.ts';

export interface ZonePublicationTable {
  zone: string;
  holder: string;
  lease_until: number;
}
export type ZonePublication = Selectable<ZonePublicationTable>;

/** The reconciler that publishes what was left behind. */
export const publicationSweep = 'dns-sweep';

/** False where another holds it. */
export async function publicationTake(queries: Queries, taken: ZonePublication, now: number): Promise<boolean> {
  const { zone, ...lease } = taken;
  const row = await queries
    .insertInto('zone_publications')
    .values({ zone, ...lease })
    .onConflict((conflict) =>
      conflict.column('zone').doUpdateSet(lease).where('zone_publications.lease_until', '<', now),
    )
    .returning('zone')
    .executeTakeFirst();
  return row !== undefined;
}

/** The name server shows what the database has: nothing is left to do. False where the lease was lost meanwhile. */
export async function publicationSettle(queries: Queries, zone: string, holder: string): Promise<boolean> {
  const row = await queries
    .deleteFrom('zone_publications')
    .where('zone', '=', zone)
    .where('holder', '=', holder)
    .returning('zone')
    .executeTakeFirst();
  return row !== undefined;
}

/** What the name server shows is not known: whoever comes next shall publish what the database has. */
export async function publicationAbandon(queries: Queries, zones: readonly string[], holder: string): Promise<void> {
  if (zones.length === 0) return;
  await queries
    .updateTable('zone_publications')
    .set({ lease_until: 0 })
    .where('zone', 'in', zones)
    .where('holder', '=', holder)
    .execute();
}

/** Asks for the zone to be published as it stands when this is committed. */
export async function publicationWant(queries: Queries, zone: string): Promise<void> {
  await queries
    .insertInto('zone_publications')
    .values({ zone, holder: '', lease_until: 0 })
    .onConflict((conflict) => conflict.column('zone').doNothing())
    .execute();
}

export async function publicationsWaiting(queries: Queries, now: number, limit: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('zone_publications')
    .select('zone')
    .where('lease_until', '<', now)
    .orderBy('zone')
    .limit(limit)
    .execute();
  return rows.map((row) => row.zone);
}
