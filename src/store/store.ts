// What the database is to the other rooms: one schema on two engines (opened in open.ts). The only place of SQL is this room; the
// functions beside this file take `Queries`, which is the database or a transaction on it, so that the caller decides what belongs
// together.
import { sql, type Kysely } from 'kysely';
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

/** Answers when the database does. */
export async function storeAlive(store: Store): Promise<void> {
  await sql`select 1`.execute(store.queries);
}
