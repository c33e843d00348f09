// Case-insensitive substring search. Nothing in the search text has a special meaning. From three characters on, an index
// of trigrams finds the rows: a full-text table on SQLite, an index of pg_trgm on PostgreSQL, which works without it, but
// reads all rows.
import { sql, type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool } from 'kysely';
import { searchedText, searchIndexes, type SearchIndex } from '../migrations/0053-lists.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import { planEachTime } from './rows.ts';
import { isSqlite } from './sqlite.ts';

const gramLength = 3;

export interface RowSearch {
  readonly text: string;
  /** Values of columns that rows must have, too. */
  readonly match: Readonly<Record<string, unknown>>;
  readonly after: number;
  readonly limit: number;
}

type RowOf<I extends SearchIndex> = Selectable<Tables[(typeof searchIndexes)[I]['table']]>;

/** Returns the rows whose text contains the search text, ordered by id. */
export async function searchRows<I extends SearchIndex>(
  queries: Queries,
  index: I,
  { text: given, match, after, limit }: RowSearch,
): Promise<RowOf<I>[]> {
  const { table } = searchIndexes[index];
  const text = given.normalize('NFC');
  const isIndexed = isSqlite(queries) && [...text].length >= gramLength;
  const searched = sql<string>`${sql.raw(searchedText(index))}`.as('searched_text');
  const found: RowOf<I>[] = [];
  for (let last = after; ;) {
    const query = isIndexed ? fullTextQuery(queries, index, text, last) : scanningQuery(queries, table, last);
    const matching = Object.entries(match).reduce(
      (narrowed, [column, value]) => narrowed.where(sql.ref(`${table}.${column}`), '=', value as string),
      query.where(containsText(index, text)),
    );
    // Whether an index helps depends on the text.
    const page = await planEachTime(matching.selectAll(table).select(searched).limit(limit)).execute();
    for (const { searched_text, ...row } of page as unknown as (RowOf<I> & { searched_text: string })[])
      if (foldCase(searched_text).includes(foldCase(text))) found.push(row as unknown as RowOf<I>);
    if (page.length < limit || found.length >= limit) return found.slice(0, limit);
    last = (page.at(-1) as unknown as { readonly id: number }).id;
  }
}

function foldCase(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

type AnyTables = Record<string, Record<string, unknown>>;
type AnyQuery = SelectQueryBuilder<AnyTables, string, object>;

/** The full-text table returns its rows by id, so that only as many are read as are returned. */
function fullTextQuery(queries: Queries, name: SearchIndex, text: string, after: number): AnyQuery {
  const { table } = searchIndexes[name];
  const index = `${name}_search`;
  return (queries as unknown as Kysely<AnyTables>)
    .selectFrom(index)
    .crossJoin(table)
    .whereRef(`${table}.id`, '=', `${index}.rowid`)
    .where(sql<SqlBool>`${sql.ref(index)} match ${gramsOf(text)}`)
    .where(`${index}.rowid`, '>', after)
    .orderBy(`${index}.rowid`);
}

/**
 * Some of the trigrams. Each takes as long to look up as there are rows with it, and a row that has them all without
 * containing the text takes as long as hundreds of those. Numbers tell rows apart best, and their trigrams together say
 * what is beside them. The rest is often a domain that many share, so of a text with few digits the beginning counts.
 */
function gramsOf(text: string): string {
  const characters = [...text];
  const starts = [...characters.keys()].slice(0, 1 - gramLength);
  const grams = starts.map((start) => characters.slice(start, start + gramLength).join(''));
  const withDigits = grams.filter((gram) => /\d/.test(gram));
  const beginning = [0, gramLength, 2 * gramLength].map((start) => grams[start] ?? grams.at(-1)!);
  const telling = withDigits.length >= gramLength ? withDigits : [...withDigits, ...beginning];
  return [...new Set(telling)].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
}

function scanningQuery(queries: Queries, table: string, after: number): AnyQuery {
  return (queries as unknown as Kysely<AnyTables>).selectFrom(table).where('id', '>', after).orderBy('id');
}

/**
 * Databases know the case of letters beyond ASCII only with some settings, so that such a letter matches any character
 * here, and the rows are compared again once they are read.
 */
function containsText(index: SearchIndex, part: string): RawBuilder<SqlBool> {
  const escaped = part.toLowerCase().replaceAll(/[\\%_]/g, (sign) => `\\${sign}`);
  const pattern = `%${escaped.replaceAll(/\P{ASCII}/gu, (letter) => (letter.toUpperCase() === letter ? letter : '_'))}%`;
  return sql<SqlBool>`lower(${sql.raw(searchedText(index))}) like ${pattern} escape '\\'`;
}

/**
 * Compares the beginning of a text by an index in byte order, which a database otherwise uses for equal values only. `column`
 * is an expression, and has such an index.
 */
export function startsWith(queries: Queries, column: string, prefix: string): RawBuilder<SqlBool> {
  const value = inByteOrder(queries, column);
  return sql<SqlBool>`(${value} >= ${prefix} and ${value} < ${`${prefix}\u{10ffff}`})`;
}

/** Returns the expression that such an index covers, also for sorting by it. */
export function inByteOrder(queries: Queries, column: string): RawBuilder<string> {
  return sql.raw(isSqlite(queries) ? column : `${column} collate "C"`);
}

/** Returns the rows of both lists, each once, ordered by id. */
export function mergeById<Row extends { readonly id: number }>(
  lists: readonly (readonly Row[])[],
  limit: number,
): Row[] {
  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  return [...rows.values()].toSorted((left, right) => left.id - right.id).slice(0, limit);
}
