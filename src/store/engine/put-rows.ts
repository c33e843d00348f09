// Writes many rows of a table with few statements, each compiled once.
import type { Insertable } from 'kysely';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { preparedRows, runInBatches } from './prepared.ts';
import { upsert } from './rows.ts';

/** Returns `putRow` for any number of rows, which must have the same columns. */
export function preparedPut<T extends keyof Tables>(
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  kept: readonly (keyof Tables[T] & string)[] = [],
): (queries: Queries, rows: readonly Insertable<Tables[T]>[]) => Promise<void> {
  const run = preparedRows<Insertable<Tables[T]> & object, unknown>((queries, rows) =>
    upsert(queries, table, key, rows, kept),
  );
  return async (queries, rows) =>
    void (await runInBatches(run, queries, rows as readonly (Insertable<Tables[T]> & object)[], (row) => row));
}
