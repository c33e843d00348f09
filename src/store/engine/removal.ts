// Deletes old rows some at a time: a long delete would block every writer, and on SQLite every request.
import { sql } from 'kysely';
import { pauseWork } from '#lib/slices.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { isSqlite } from './sqlite.ts';

const rowsPerDelete = 500;

/** Deletes the rows whose time in this column is earlier, or day. The table needs an index on the column. */
export async function deleteBefore<T extends keyof Tables>(
  queries: Queries,
  table: T,
  column: keyof Tables[T] & string,
  before: number,
): Promise<void> {
  const row = sql.ref(isSqlite(queries) ? 'rowid' : 'ctid');
  const old = sql`select ${row} from ${sql.table(table)} where ${sql.ref(column)} < ${before} limit ${rowsPerDelete}`;
  // PostgreSQL finds rows by an array of their places, but scans the table for a subquery.
  const isOld = isSqlite(queries) ? sql`${row} in (${old})` : sql`${row} = any (array(${old}))`;
  const deletion = sql`delete from ${sql.table(table)} where ${isOld}`;
  while ((await deletion.execute(queries)).numAffectedRows === BigInt(rowsPerDelete))
    await pauseWork('outside a transaction');
}
