// Zones that are being published to an external name server, or may have been. A row is written before the name server
// is called, and deleted in the transaction that makes the change, or once the zone was published as it is in the
// database. While its lease lasts, the row's holder is the only writer of that zone in the whole cluster.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { ZonePublicationTable } from './tables.ts';

export type ZonePublication = Selectable<ZonePublicationTable>;

/** The reconciler that publishes what was left behind. */
export const publicationSweep = 'dns-sweep';

/** Returns false if another holder has it. */
export async function publicationAcquire(
  queries: Queries,
  publication: ZonePublication,
  now: number,
): Promise<boolean> {
  const { zone, ...lease } = publication;
  return affectsRows(
    queries
      .insertInto('zone_publications')
      .values({ zone, ...lease })
      .onConflict((conflict) =>
        conflict.column('zone').doUpdateSet(lease).where('zone_publications.lease_until', '<', now),
      )
      .returning('zone'),
  );
}

/** Returns whether somebody's lease of the zone is in force. */
export async function publicationIsHeld(queries: Queries, zone: string, now: number): Promise<boolean> {
  const held = selectWhere(queries, 'zone_publications', { zone }).select('zone').where('lease_until', '>=', now);
  return (await held.executeTakeFirst()) !== undefined;
}

/** The name server now matches the database. Returns false if the lease was lost, or publication requested, in the meantime. */
export async function publicationSettle(queries: Queries, zone: string, holder: string): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'zone_publications', { zone, holder }).returning('zone'));
}

/** The name server's state is unknown: the next holder must publish what the database has. */
export async function publicationAbandon(queries: Queries, zones: readonly string[], holder: string): Promise<void> {
  if (zones.length === 0) return;
  await queries
    .updateTable('zone_publications')
    .set({ lease_until: 0 })
    .where('zone', 'in', zones)
    // Without a holder if publication was requested meanwhile.
    .where('holder', 'in', [holder, ''])
    .execute();
}

/**
 * Requests publication of the zone's state at commit. Takes the row from whoever is publishing the zone now, perhaps in an earlier
 * state, so that it is not settled; the lease stays.
 */
export async function publicationRequest(queries: Queries, zone: string): Promise<void> {
  await queries
    .insertInto('zone_publications')
    .values({ zone, holder: '', lease_until: 0 })
    .onConflict((conflict) => conflict.column('zone').doUpdateSet({ holder: '' }))
    .execute();
}

export async function publicationsWaiting(queries: Queries, now: number, limit: number): Promise<string[]> {
  const waiting = queries.selectFrom('zone_publications').select('zone').where('lease_until', '<', now);
  return (await waiting.orderBy('zone').limit(limit).execute()).map(({ zone }) => zone);
}
