// What a change would do, found out by doing it: inside a transaction, and taken back.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';

/** Does the work and takes back all that it wrote; what it answers is kept. In a transaction, which goes on after it. */
export async function rehearsed<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  await sql`savepoint rehearsal`.execute(queries);
  const result = await work(queries);
  await sql`rollback to savepoint rehearsal`.execute(queries);
  return result;
}
