// The lock of the site: instances that start together apply the same file one after the other. Otherwise, each would find nothing
// in an empty database and create what the file adds.
import { sql } from 'kysely';
import type { Queries, Store } from './store.ts';

const advisoryLock = 7_203_381_003;

/** Waits for the lock, and holds it until the transaction ends. SQLite has one writer, and needs none. */
export async function siteLock(queries: Queries, engine: Store['engine']): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(queries);
}
