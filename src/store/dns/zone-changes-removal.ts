// Keeps the log of changes of zones short. Apart from the reading of the log, which the name server's threads do: they start in half
// the time without the query builder.
import { sql } from 'kysely';
import type { Reader } from '../engine/reader.ts';
import type { Queries } from '../store.ts';
import { keptChanges, removedEntry } from './zone-changes.ts';

/**
 * Removes old rows. A database that was restored may have rows of transactions that are still to come, which would be
 * read again and again.
 */
export async function zoneChangesRemoveOld(queries: Queries, engine: Reader['engine']): Promise<void> {
  const { rows } = await sql<{ last: number | null }>`select max(id) as last from zone_changes`.execute(queries);
  const removed = Number(rows[0]?.last ?? 0) - keptChanges;
  if (removed > 0) {
    await sql`update meta set value = ${String(removed)} where name = ${removedEntry}`.execute(queries);
    await queries.deleteFrom('zone_changes').where('id', '<=', removed).execute();
  }
  if (engine === 'postgres')
    await sql`delete from zone_changes where transaction_id > pg_current_xact_id()::text::bigint`.execute(queries);
}
