// Case-insensitive substring search. Nothing in the search text has a special meaning. From three characters on, an index
// of trigrams finds the rows: a full-text table on SQLite, an index of pg_trgm on PostgreSQL, which works without it, but
// reads all rows.
import { sql, type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { searchedText, type SearchedTable } from '../migrations/0053-lists.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { isSqlite } from './sqlite.ts';

const gramLength = 3;

export interface RowSearch {
  readonly text: string;
  /** Values of columns that rows must have, too. */
  readonly match: Readonly<Record<string, unknown>>;
  readonly after: number;
  readonly limit: number;
}

/** Returns the rows whose text contains the search text, ordered by id. */
export async function searchRows<T extends SearchedTable>(
  queries: Queries,
  table: T,
  { text, match, after, limit }: RowSearch,
): Promise<Selectable<Tables[T]>[]> {
  const isIndexed = isSqlite(queries) && [...text].length >= gramLength;
  const query = isIndexed ? fullTextQuery(queries, table, text, after) : scanningQuery(queries, table, after);
  const matching = Object.entries(match).reduce(
    (narrowed, [column, value]) => narrowed.where(sql.ref(`${table}.${column}`), '=', value as string),
    query.where(containsText(table, text)),
  );
  return (await matching.selectAll(table).limit(limit).execute()) as unknown as Selectable<Tables[T]>[];
}

type AnyTables = Record<string, Record<string, unknown>>;
type AnyQuery = SelectQueryBuilder<AnyTables, string, object>;

/** The full-text table returns its rows by id, so that only as many are read as are returned. */
function fullTextQuery(queries: Queries, table: string, text: string, after: number): AnyQuery {
  const index = `${table}_search`;
  return (queries as unknown as Kysely<AnyTables>)
    .selectFrom(index)
    .crossJoin(table)
    .whereRef(`${table}.id`, '=', `${index}.rowid`)
    .where(sql<SqlBool>`${sql.ref(index)} match ${gramsOf(text)}`)
    .where(`${index}.rowid`, '>', after)
    .orderBy(`${index}.rowid`);
}

/** Every third trigram and the last one: more would take longer to look up than they save rows. */
function gramsOf(text: string): string {
  const characters = [...text];
  const last = characters.length - gramLength;
  const starts = [...characters.keys()].filter((start) => start === last || (start < last && start % gramLength === 0));
  const grams = starts.map((start) => characters.slice(start, start + gramLength).join(''));
  return grams.map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
}

function scanningQuery(queries: Queries, table: string, after: number): AnyQuery {
  return (queries as unknown as Kysely<AnyTables>).selectFrom(table).where('id', '>', after).orderBy('id');
}

function containsText(table: SearchedTable, part: string): RawBuilder<SqlBool> {
  const pattern = `%${part.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return sql<SqlBool>`lower(${sql.raw(searchedText(table))}) like ${pattern} escape '\\'`;
}

/** Returns the rows of both lists, each once, ordered by id. */
export function mergeById<Row extends { readonly id: number }>(
  lists: readonly (readonly Row[])[],
  limit: number,
): Row[] {
  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  return [...rows.values()].toSorted((left, right) => left.id - right.id).slice(0, limit);
}
