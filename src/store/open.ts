// Opens the database: connects to the configured engine and migrates its tables to this version.
import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { collectCommit } from './commits.ts';
import { copyEmptyDatabase } from './empty-database.ts';
import { sqliteName, type StoreLocation } from './location.ts';
import { migrate } from './migrate.ts';
import type { QueryTimeout } from './engine/postgres-pool.ts';
import type { ReportWait } from './engine/table-locks.ts';
import { runAndRollBack } from './engine/rehearsal.ts';
import { sqliteDialect } from './engine/sqlite.ts';
import { sqliteRehearsalDialect } from './engine/sqlite-rehearsal.ts';
import { isStalePlan } from './engine/unavailable.ts';
import type { Commit, Engine, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** Longer than any statement of a request or a loop takes, and than a failover that should go unnoticed. */
const queryTimeoutMs = 30_000;

/** `reportWait` gets a sentence while long transactions, such as those of pg_dump, keep the tables from being migrated. */
export async function openStore(location: StoreLocation, reportWait?: ReportWait): Promise<Store> {
  // Migrations may take long and may wait for those of another instance, so there is no timeout until they are done.
  const queryTimeout: QueryTimeout = { timeoutMs: undefined };
  if (location.database === undefined) copyEmptyDatabase(join(location.dataFolder, sqliteName));
  const store = await connectStore(location, queryTimeout);
  try {
    await migrate(store.queries, store.engine, undefined, reportWait);
    queryTimeout.timeoutMs = queryTimeoutMs;
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Connects without migrating, for maintenance of a database that another version may be using. */
export async function connectStore(
  location: StoreLocation,
  queryTimeout: QueryTimeout = { timeoutMs: queryTimeoutMs },
): Promise<Store> {
  const engine: Engine = location.database === undefined ? 'sqlite' : 'postgres';
  const file = join(location.dataFolder, sqliteName);
  const dialect =
    location.database === undefined
      ? sqliteDialect(file)
      : // Loaded only when used, to keep small installations small.
        (await import('./engine/postgres.ts')).postgresDialect(location.database, queryTimeout);
  const queries = new Kysely<Tables>({ dialect });
  const commitListeners = new Set<(commit: Commit) => void>();
  return {
    engine,
    queries,
    async transaction(work) {
      const { result, commit } = await retryTransaction(() =>
        queries.transaction().execute(async (transaction: Transaction<Tables>) => {
          const commit = collectCommit(transaction);
          return { result: await work(transaction), commit };
        }),
      );
      for (const listener of commitListeners) listener(commit);
      return result;
    },
    async rehearse(work) {
      if (engine === 'postgres')
        return queries.transaction().execute((transaction) => runAndRollBack(transaction, work));
      const rehearsal = new Kysely<Tables>({ dialect: sqliteRehearsalDialect(file) });
      try {
        return await rehearsal.transaction().execute(work);
      } finally {
        await rehearsal.destroy();
      }
    },
    onCommit(listener) {
      commitListeners.add(listener);
      return () => commitListeners.delete(listener);
    },
    close: () => queries.destroy(),
  };
}

/**
 * Failures because of another transaction at the same time: it was serialized before this one or waited for it, or it inserted the same row
 * or deleted one that this one refers to, after this one had looked. The next attempt sees what it did.
 */
const conflicts = { serializationFailure: '40001', deadlockDetected: '40P01' } as const;
const violations = { unique: '23505', foreignKey: '23503' } as const;
const conflictCodes: ReadonlySet<unknown> = new Set(Object.values(conflicts));
const violationCodes: ReadonlySet<unknown> = new Set(Object.values(violations));

async function retryTransaction<T>(work: () => Promise<T>): Promise<T> {
  let earlier: string | undefined;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const violation = violationOf(error);
      // This attempt has seen the row that the earlier one ran into, so it was no race.
      const isRepeated = violation !== undefined && violation === earlier;
      const canRetry =
        violation !== undefined || conflictCodes.has((error as PostgresError).code) || isStalePlan(error);
      if (attempt === 5 || isRepeated || !canRetry) throw error;
      earlier = violation;
    }
  }
}

interface PostgresError {
  readonly code?: string;
  readonly constraint?: string;
  /** Has the values of the row. */
  readonly detail?: string;
}

function violationOf(error: unknown): string | undefined {
  const { code, constraint, detail } = error as PostgresError;
  return violationCodes.has(code) ? `${constraint}: ${detail}` : undefined;
}
