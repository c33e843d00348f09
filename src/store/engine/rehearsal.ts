// Finds out what a change would do by making it and rolling it back.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';

/**
 * Runs the work in the current transaction, rolls back everything it wrote, and returns its result. The transaction
 * continues.
 */
export async function runAndRollBack<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  await sql`savepoint rehearsal`.execute(queries);
  const result = await work(queries);
  await sql`rollback to savepoint rehearsal`.execute(queries);
  // Otherwise a rehearsal around this one would be rolled back to here only.
  await sql`release savepoint rehearsal`.execute(queries);
  return result;
}
