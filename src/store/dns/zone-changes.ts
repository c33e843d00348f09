// The log of changes of zones, which triggers write (see migration 0041). Readers know how far they are by a position. On SQLite, ids
// are committed in order, and the position is the last id. On PostgreSQL a row may become visible after rows with higher ids, so the
// position is a transaction: all before it have ended, and what it and later ones wrote is read again until they have as well.
import type { Reader } from '../engine/reader.ts';

export interface ZoneChange {
  readonly id: number;
  readonly zone_id: number;
  /** Null for the whole zone. */
  readonly path: string | null;
  /** The position for the next read. */
  readonly position: number;
  /** Rows up to this id have been removed from the log. */
  readonly removed: number;
}

/** Readers look at the log several times a second, so this many are hours of work. */
export const keptChanges = 100_000;
export const removedEntry = 'zone changes removed';

const postgresPosition = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint';
const readSince = {
  sqlite: `select id, zone_id, path, id as position, cast(meta.value as integer) as removed
from zone_changes join meta on meta.name = '${removedEntry}' where id > ? order by id`,
  postgres: `select id, zone_id, path, ${postgresPosition} as position, meta.value::bigint as removed
from zone_changes join meta on meta.name = '${removedEntry}' where transaction_id >= ? order by id`,
};
const readPosition = {
  sqlite: 'select coalesce(max(id), 0) as position, coalesce(max(id), 0) as last from zone_changes',
  postgres: `select ${postgresPosition} as position, coalesce(max(id), 0) as last from zone_changes`,
};

export async function zoneChangesSince(reader: Reader, position: number): Promise<ZoneChange[]> {
  return reader.read(readSince[reader.engine], [position]);
}

/** Returns the current position, and the last id that is visible. */
export async function zoneChangesPosition(reader: Reader): Promise<{ position: number; last: number }> {
  return (await reader.read<{ position: number; last: number }>(readPosition[reader.engine], []))[0]!;
}
