// The database as other modules see it: one schema on two engines (see open.ts). All SQL is in this module. Its
// functions take `Queries`, which is the database or a transaction, so that callers decide what belongs to one
// transaction.
import { sql, type Kysely } from 'kysely';
import type { AccountId } from './account-id.ts';
import type { Tables } from './tables.ts';

export type Engine = 'sqlite' | 'postgres';
export type Queries = Kysely<Tables>;

export interface Commit {
  /** Of the accounts with new events, the number of the last one. */
  readonly eventTips: ReadonlyMap<AccountId, number>;
}

export interface Store {
  readonly engine: Engine;
  /** For reads and single statements. */
  readonly queries: Queries;
  /**
   * Runs the work in one transaction. It may run again from the start if PostgreSQL requires that, so it must have no
   * effects outside the database.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Runs the work in a transaction and rolls it back. On SQLite, it does not hold back writers. */
  rehearse<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** Calls the listener after each committed transaction of this process. Returns a function that removes it. */
  onCommit(listener: (commit: Commit) => void): () => void;
  close(): Promise<void>;
}

/** Resolves if the database responds. */
export async function pingStore(store: Store): Promise<void> {
  await sql`select 1`.execute(store.queries);
}
