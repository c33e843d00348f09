// Locks the tables that migrations change, all of them before the first statement. Taken one by one, as statements come
// to them, the locks would deadlock with a query of another instance that reads two of the tables, and PostgreSQL could
// end that query instead of the migration.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Queries } from '../store.ts';

/** Shorter than PostgreSQL waits before it looks for deadlocks, and than callers notice. */
const lockTimeout = '300ms';
/** Other queries wait for an attempt, too. The more attempts there were, the longer the next one can wait. */
const pauseMs = { first: 100, most: 10_000 };
/** Queries of requests and jobs have ended long before. */
const firstReportedAttempt = 4;
const lockNotAvailable = '55P03';

export type ReportWait = (waiting: string) => void;

/** Retries until no query is in the way. Meant for a transaction on PostgreSQL, which holds the locks until its end. */
export async function lockTables(
  transaction: Queries,
  statements: readonly string[],
  reportWait: ReportWait,
): Promise<void> {
  const words = new Set(statements.flatMap((statement) => statement.match(/\w+/g) ?? []));
  const { rows } = await sql<{ name: string }>`
select tablename as name from pg_tables where schemaname = current_schema()`.execute(transaction);
  const tables = rows.map(({ name }) => name).filter((name) => words.has(name));
  if (tables.length === 0) return;
  await sql.raw(`set local lock_timeout = '${lockTimeout}'`).execute(transaction);
  const lock = sql`lock table ${sql.join(tables.map((name) => sql.table(name)))} in access exclusive mode`;
  for (let attempt = 1; ; attempt++) {
    await sql`savepoint unlocked`.execute(transaction);
    try {
      await lock.execute(transaction);
      break;
    } catch (error) {
      if ((error as { code?: unknown }).code !== lockNotAvailable) throw error;
      await sql`rollback to savepoint unlocked`.execute(transaction);
      const isPowerOfTwo = (attempt & (attempt - 1)) === 0;
      if (attempt >= firstReportedAttempt && isPowerOfTwo) reportWait(await describeHolders(transaction, tables));
      await sleep(Math.min(pauseMs.first * 2 ** (attempt - 1), pauseMs.most));
    }
  }
  await sql`set local lock_timeout = 0`.execute(transaction);
}

async function describeHolders(transaction: Queries, tables: readonly string[]): Promise<string> {
  const { rows } = await sql<{ pid: number; application: string; seconds: number | null }>`
select pid, application_name as application, extract(epoch from clock_timestamp() - xact_start)::int as seconds
from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and pid in (
  select pid from pg_locks join pg_class on pg_class.oid = relation
  where granted and relname in (${sql.join(tables)}))
order by xact_start limit 3`.execute(transaction);
  // When those of other users began is visible to some users only.
  const holders = rows.map(({ pid, application, seconds }) => {
    const since = seconds === null ? '' : `, for ${seconds} s`;
    return `${application || 'a session'} (process ${pid}${since})`;
  });
  return `the migration waits for transactions on its tables: ${holders.join(', ') || 'they have just ended'}`;
}
