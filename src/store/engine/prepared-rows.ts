// Finds, inserts and puts rows of a table, with statements that are compiled once.
import type { Insertable, Selectable, SelectType } from 'kysely';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { prepared, preparedRows, runInBatches } from './prepared.ts';
import { upsert } from './rows.ts';

type Write<T extends keyof Tables> = (queries: Queries, rows: readonly Insertable<Tables[T]>[]) => Promise<void>;

/** Returns a function that finds the row with a value in a column that is unique. */
export function preparedFind<T extends keyof Tables, C extends keyof Tables[T] & string>(
  table: T,
  column: C,
): (queries: Queries, value: SelectType<Tables[T][C]>) => Promise<Selectable<Tables[T]> | undefined> {
  const run = prepared((queries: Queries, { value }: { value: unknown }) =>
    queries
      .selectFrom(table as 'meta')
      .selectAll()
      .where(column as 'name', '=', value as string),
  );
  return async (queries, value) => (await run(queries, { value }))[0] as Selectable<Tables[T]> | undefined;
}

/** Returns a function that inserts any number of rows. */
export function preparedInsert<T extends keyof Tables>(table: T): Write<T> {
  return preparedWrite((queries, rows) =>
    queries.insertInto(table as 'meta').values(rows as readonly Insertable<Tables['meta']>[]),
  );
}

/** Returns `putRow` for any number of rows, which must have the same columns. */
export function preparedPut<T extends keyof Tables>(
  table: T,
  key: readonly (keyof Tables[T] & string)[],
  kept: readonly (keyof Tables[T] & string)[] = [],
): Write<T> {
  return preparedWrite((queries, rows) => upsert(queries, table, key, rows, kept));
}

function preparedWrite<T extends keyof Tables>(
  build: Parameters<typeof preparedRows<Insertable<Tables[T]> & object, unknown>>[0],
): Write<T> {
  const run = preparedRows(build);
  return async (queries, rows) =>
    void (await runInBatches(run, queries, rows as readonly (Insertable<Tables[T]> & object)[], (row) => row));
}
