// Locks the tables that migrations change, all of them before the first statement. Taken one by one, as statements come
// to them, the locks would deadlock with a query of another instance that reads two of the tables, and PostgreSQL could
// end that query instead of the migration.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queries } from '../store.ts';

/** Shorter than PostgreSQL waits before it looks for deadlocks, and than callers notice. */
const lockTimeout = '300ms';
const pauseMs = 100;
const lockNotAvailable = '55P03';

/** Retries until no query is in the way. Meant for a transaction on PostgreSQL, which holds the locks until its end. */
export async function lockTables(transaction: Queries, statements: readonly string[]): Promise<void> {
  const words = new Set(statements.flatMap((statement) => statement.match(/\w+/g) ?? []));
  const { rows } = await sql<{ name: string }>`
select tablename as name from pg_tables where schemaname = current_schema()`.execute(transaction);
  const tables = rows.map(({ name }) => name).filter((name) => words.has(name));
  if (tables.length === 0) return;
  await sql.raw(`set local lock_timeout = '${lockTimeout}'`).execute(transaction);
  const lock = sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in access exclusive mode`;
  for (;;) {
    await sql`savepoint unlocked`.execute(transaction);
    try {
      await lock.execute(transaction);
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
      await sql`rollback to savepoint unlocked`.execute(transaction);
      await sleep(pauseMs);
    }
  }
  await sql`set local lock_timeout = 0`.execute(transaction);
}
