// The database, opened: the engine that the settings name, with its tables as this version wants them.
import { join } from 'node:path';
import { Kysely, type Transaction } from 'kysely';
import { migrate } from './migrate.ts';
import { sqliteDialect } from './engine/sqlite.ts';
import type { Engine, Store } from './store.ts';
import type { Tables } from './tables.ts';

/** In the data folder. */
export const sqliteName = 'hostyard.sqlite';

export interface StoreLocation {
  readonly dataFolder: string;
  readonly database: string | undefined;
}

/** Longer than any statement of a request or a loop takes, and than a failover that nobody need notice. */
const answerMs = 30_000;

/** Connected, with its tables as this version wants them. */
export async function openStore(location: StoreLocation): Promise<Store> {
  // Migrations take their time, and wait for those of another node.
  const patience: { answerMs: number | undefined } = { answerMs: undefined };
  const store = await connectStore(location, patience);
  try {
    await migrate(store.queries, store.engine);
    patience.answerMs = answerMs;
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Connected, with its tables as they are: for who looks after a database that another version may be using. */
export async function connectStore(
  location: StoreLocation,
  patience: { answerMs: number | undefined } = { answerMs },
): Promise<Store> {
  const engine: Engine = location.database === undefined ? 'sqlite' : 'postgres';
  const dialect =
    location.database === undefined
      ? sqliteDialect(join(location.dataFolder, sqliteName))
      : // Loaded only where it is used: a small installation should stay small.
        (await import('./engine/postgres.ts')).postgresDialect(location.database, patience);
  const queries = new Kysely<Tables>({ dialect });
  const commitListeners = new Set<() => void>();
  return {
    engine,
    queries,
    async transaction(work) {
      const result = await repeated(() =>
        queries.transaction().execute((transaction: Transaction<Tables>) => work(transaction)),
      );
      for (const listener of commitListeners) listener();
      return result;
    },
    onCommit(listener) {
      commitListeners.add(listener);
      return () => commitListeners.delete(listener);
    },
    close: () => queries.destroy(),
  };
}

const serializationFailure = '40001';
const deadlockDetected = '40P01';

async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (attempt === 5 || (code !== serializationFailure && code !== deadlockDetected)) throw error;
    }
  }
}
