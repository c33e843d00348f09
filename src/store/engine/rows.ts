// Selects, updates and deletes the rows of a table by the values of columns; counts, upserts, and inserts what is new. All other
// statements are plain Kysely.
import {
  sql,
  type DeleteQueryBuilder,
  type DeleteResult,
  type Insertable,
  type InsertQueryBuilder,
  type InsertResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type SelectType,
  type UpdateQueryBuilder,
  type UpdateResult,
  type WhereInterface,
} from 'kysely';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { plannedEachTime } from './plan-mark.ts';

type TableName = keyof Tables;
type Column<T extends TableName> = keyof Tables[T] & string;
/** Values of columns; null matches null. */
type Match<T extends TableName> = { readonly [C in Column<T>]?: SelectType<Tables[T][C]> };

export function selectWhere<T extends TableName>(queries: Queries, table: T, match: Match<T>) {
  return addWhere(queries.selectFrom(table as 'meta'), match) as unknown as SelectQueryBuilder<Tables, T, object>;
}

export function updateWhere<T extends TableName>(queries: Queries, table: T, match: Match<T>) {
  type Update = UpdateQueryBuilder<Tables, T, T, UpdateResult>;
  return addWhere(queries.updateTable(table as 'meta'), match) as unknown as Update;
}

export function deleteWhere<T extends TableName>(queries: Queries, table: T, match: Match<T>) {
  return addWhere(queries.deleteFrom(table as 'meta'), match) as unknown as DeleteQueryBuilder<Tables, T, DeleteResult>;
}

function addWhere(query: WhereInterface<Tables, 'meta'>, match: object): WhereInterface<Tables, 'meta'> {
  return Object.entries(match).reduce(
    (narrowed, [column, value]) => narrowed.where(column as 'name', value === null ? 'is' : '=', value as string),
    query,
  );
}

interface Modifiable<Query> {
  modifyEnd(modifier: RawBuilder<unknown>): Query;
}

/**
 * Has PostgreSQL plan a query for its values each time. Once it has one plan for all values, it expects that a status or
 * account has as many rows as any other, and may read a whole table to find the few that there are.
 */
export function planEachTime<Query extends Modifiable<Query>>(query: Query): Query {
  return query.modifyEnd(sql.raw(plannedEachTime));
}

/** Plans a filtered list each time if it is of all accounts. A list of one account is short enough, and read more often. */
export function planIfOfAll<Query extends Modifiable<Query>>(query: Query, account: number | undefined): Query {
  return account === undefined ? planEachTime(query) : query;
}

/** Splits a long list, because databases limit the parameters of a statement. */
export function batches<T>(values: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) => values.slice(at * size, (at + 1) * size));
}

/** Runs a statement for each batch of a long list, one after the other, and returns all rows. */
export async function rowsInBatches<Value, Row>(
  values: readonly Value[],
  statementFor: (batch: readonly Value[]) => { execute(): Promise<Row[]> },
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const batch of batches(values)) rows.push(...(await statementFor(batch).execute()));
  return rows;
}

/** A row of a `returning` clause; without one, a write has a result that counts its rows. */
type ReturnedRow = object & {
  readonly numInsertedOrUpdatedRows?: never;
  readonly numUpdatedRows?: never;
  readonly numDeletedRows?: never;
};
/** Runs a write with a `returning` clause, and returns true if it affected any row. */
export async function affectsRows(write: { execute(): Promise<readonly ReturnedRow[]> }): Promise<boolean> {
  return (await write.execute()).length > 0;
}

export async function countRows<T extends TableName>(query: SelectQueryBuilder<Tables, T, object>): Promise<number> {
  const counting = query.select((select) => select.fn.countAll().as('count'));
  const { count } = (await counting.executeTakeFirstOrThrow()) as { count: number };
  return Number(count);
}

/** Builds the insertion of rows, but of none with an existing key; without a key, of none that is a duplicate in any way. */
export function insertNew<T extends TableName>(
  queries: Queries,
  table: T,
  rows: Insertable<Tables[T]> | readonly Insertable<Tables[T]>[],
  key: readonly Column<T>[] = [],
) {
  const insertion = queries
    .insertInto(table as 'meta')
    .values(rows as Insertable<Tables['meta']>)
    .onConflict((conflict) => (key.length === 0 ? conflict : conflict.columns(key as readonly 'name'[])).doNothing());
  return insertion as unknown as InsertQueryBuilder<Tables, T, InsertResult>;
}

/** Inserts the row, or updates the one with the same key, in which the `kept` columns stay. */
export async function putRow<T extends TableName>(
  queries: Queries,
  table: T,
  key: readonly Column<T>[],
  row: Insertable<Tables[T]>,
  kept: readonly Column<T>[] = [],
): Promise<void> {
  await upsert(queries, table, key, [row], kept).execute();
}

/** Builds the statement of `putRow` for rows that have the same columns. */
export function upsert<T extends TableName>(
  queries: Queries,
  table: T,
  key: readonly Column<T>[],
  rows: readonly Insertable<Tables[T]>[],
  kept: readonly Column<T>[] = [],
) {
  const fixed = new Set<string>([...key, ...kept]);
  const changing = Object.entries(rows[0]!).flatMap(([column, value]) =>
    fixed.has(column) || value === undefined ? [] : [[column, sql.ref(`excluded.${column}`)] as const],
  );
  return queries
    .insertInto(table as 'meta')
    .values(rows as readonly Insertable<Tables['meta']>[])
    .onConflict((conflict) =>
      conflict
        .columns(key as readonly 'name'[])
        .doUpdateSet(Object.fromEntries(changing))
        .where(ifChanged(table, Object.fromEntries(changing))),
    );
}

/** Makes the table contain exactly these rows. */
export async function replaceRows<T extends TableName>(
  queries: Queries,
  table: T,
  key: Column<T>,
  rows: readonly Insertable<Tables[T]>[],
): Promise<void> {
  let deletion = queries.deleteFrom(table as 'meta');
  const keys = rows.map((row) => row[key as keyof typeof row] as string);
  if (keys.length > 0) deletion = deletion.where(key as 'name', 'not in', keys);
  await deletion.execute();
  for (const row of rows) await putRow(queries, table, [key], row);
}

/**
 * Returns the condition for `on conflict do update`: at least one column differs from the existing row. It skips
 * updates that would change nothing, so that applying the same site file at every start writes nothing.
 */
export function ifChanged(table: string, columns: Readonly<Record<string, unknown>>): RawBuilder<boolean> {
  const differing = Object.keys(columns).map(
    (column) => sql`${sql.ref(`${table}.${column}`)} is distinct from ${sql.ref(`excluded.${column}`)}`,
  );
  return sql<boolean>`(${sql.join(differing, sql` or `)})`;
}
