// The database, opened: one schema on two engines. The only place of SQL is this room; the functions beside this file take
// `Queries`, which is the database or a transaction on it, so that the caller decides what belongs together.
import { join } from 'node:path';
import { Kysely, sql, type Transaction } from 'kysely';
import { migrate } from './migrate.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';
export type Queries = Kysely<Tables>;

export interface Store {
  readonly engine: Engine;
  /** Reads, and single statements that stand alone. */
  readonly queries: Queries;
  /** All or nothing. The work may be run again from its start where PostgreSQL asks for that, so it acts on the database only. */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Calls the listener after each transaction of this process that committed; what it answers takes the listener off. */
  onCommit(listener: () => void): () => void;
  close(): Promise<void>;
}

/** In the data folder. */
export const sqliteName = 'hostyard.sqlite';

export interface StoreLocation {
  readonly dataFolder: string;
  readonly database: string | undefined;
}

/** Connected, with its tables as this version wants them. */
export async function openStore(location: StoreLocation): Promise<Store> {
  const store = await connectStore(location);
  try {
    await migrate(store.queries, store.engine);
  } catch (error) {
    await store.close();
    throw error;
  }
  return store;
}

/** Connected, with its tables as they are: for who looks after a database that another version may be using. */
export async function connectStore(location: StoreLocation): Promise<Store> {
  const engine: Engine = location.database === undefined ? 'sqlite' : 'postgres';
  const dialect =
    location.database === undefined
      ? sqliteDialect(join(location.dataFolder, sqliteName))
      : // Loaded only where it is used: a small installation should stay small.
        (await import('./postgres.ts')).postgresDialect(location.database);
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

/** Answers when the database does. */
export async function storeAlive(store: Store): Promise<void> {
  await sql`select 1`.execute(store.queries);
}
