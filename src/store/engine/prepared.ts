// Compiles hot queries once. Kysely's builder takes 60 to 90 microseconds per query, more than SQLite needs to run it;
// here the text is compiled on first use and only the values change. Benchmark: bench/api.ts; see
// docs/decisions/prepared-queries.md.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SelectQueryNode, type CompiledQuery } from 'kysely';
import type { Queries } from '../store.ts';
import { batches } from './rows.ts';

/** An adapter that reads committed rows without Kysely's machinery, which costs more than the rest of a small query. */
export interface DirectReading {
  readDirectly?: (sql: string, parameters: readonly unknown[]) => unknown[] | Promise<unknown[]>;
  /** Reads at most one row, if there is a quicker way for that. */
  readRowDirectly?: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>;
}

class Slot {
  readonly row: number;
  readonly name: string;
  constructor(row: number, name: string) {
    this.row = row;
    this.name = name;
  }
}

interface Buildable<Row> {
  compile(): CompiledQuery<Row>;
}

type Build<Values, Row> = (queries: Queries, rows: readonly Values[]) => Buildable<Row>;
type Run<Values, Row> = (queries: Queries, rows: readonly Values[]) => Promise<Row[]>;

/**
 * Returns a query that is compiled once per engine. `build` gets placeholders for the values and must not look at
 * them; all calls must pass the same names. Writes return their rows with `returning`.
 */
export function prepared<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Buildable<Row>,
): (queries: Queries, values: Values) => Promise<Row[]> {
  const run = compileOnce<Values, Row>(
    (queries, [values]) => build(queries, values!),
    () => '',
  );
  return (queries, values) => run(queries, [values]);
}

/** Returns a query for at most one row. PostgreSQL passes it on as JSON, which has no form for bytes. */
export function preparedRow<
  Values extends object,
  Row extends Readonly<Record<keyof Row, string | number | boolean | null>>,
>(
  build: (queries: Queries, values: Values) => Buildable<Row>,
): (queries: Queries, values: Values) => Promise<Row | undefined> {
  const run = compileOnce<Values, Row>(
    (queries, [values]) => build(queries, values!),
    () => '',
    ({ readRowDirectly, readDirectly }) => readRowDirectly ?? readDirectly,
  );
  return (queries, values) => run(queries, [values]).then(([row]) => row);
}

/** Returns a query for a varying number of rows, compiled once for each combination of columns. */
export function preparedRows<Values extends object, Row>(build: Build<Values, Row>): Run<Values, Row> {
  return compileOnce(build, rowsShape);
}

/** Most rows have the columns of the first, and joining the names of all would take longer than the rest. */
function rowsShape(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const isSame = (row: object): boolean => {
    const names = Object.keys(row);
    return names.length === columns.length && names.every((name, index) => name === columns[index]);
  };
  return rows.every(isSame) ? `${rows.length} ${columns.join()}` : rows.map((row) => Object.keys(row).join()).join(';');
}

/** Returns an update of varying columns, compiled once for each combination. */
export function preparedChange<Change extends object, Values extends object, Row>(
  build: (queries: Queries, change: Change, values: Values) => Buildable<Row>,
): (queries: Queries, change: Change, values: Values) => Promise<Row[]> {
  const run = preparedRows<object, Row>((queries, [change, values]) =>
    build(queries, change as Change, values as Values),
  );
  return (queries, change, values) => run(queries, [change, values]);
}

/** Larger numbers of rows seldom repeat, except that of a full batch. */
const maxCompiledRows = 16;
const rowsPerBatch = 100;

/**
 * Runs a query for many rows, in batches of a size for which it is compiled once. Other requests run between them,
 * because SQLite answers without ever leaving the event loop.
 */
export async function runInBatches<Item, Values extends object, Row>(
  run: Run<Values, Row>,
  queries: Queries,
  items: readonly Item[],
  rowOf: (item: Item) => Values,
): Promise<Row[]> {
  const results: Row[] = [];
  for (const batch of batches(items, rowsPerBatch)) {
    if (results.length > 0) await nextTurn();
    results.push(...(await run(queries, batch.map(rowOf))));
  }
  return results;
}

/** Compiles once for each shape of the rows. */
function compileOnce<Values extends object, Row>(
  build: Build<Values, Row>,
  shapeOf: (rows: readonly Values[]) => string,
  directReading: (adapter: DirectReading) => DirectReading['readDirectly'] = (adapter) => adapter.readDirectly,
): Run<Values, Row> {
  const compiledFor = new WeakMap<object, Map<string, CompiledQuery<Row>>>();
  return (queries, rows) => {
    const adapter = queries.getExecutor().adapter;
    let byShape = compiledFor.get(adapter);
    if (byShape === undefined) compiledFor.set(adapter, (byShape = new Map()));
    const shape = shapeOf(rows);
    let compiled = byShape.get(shape);
    if (compiled === undefined) {
      compiled = build(queries, rows.map(placeholders)).compile();
      if (rows.length <= maxCompiledRows || rows.length === rowsPerBatch) byShape.set(shape, compiled);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? (rows[value.row] as Record<string, unknown>)[value.name] : value,
    );
    const read = directReading(adapter as DirectReading);
    if (read !== undefined && !queries.isTransaction && SelectQueryNode.is(compiled.query))
      return Promise.resolve(read(compiled.sql, parameters) as Row[] | Promise<Row[]>);
    return queries.executeQuery<Row>({ ...compiled, parameters }).then((result) => result.rows);
  };
}

function placeholders<Values extends object>(values: Values, row: number): Values {
  return Object.fromEntries(Object.keys(values).map((name) => [name, new Slot(row, name)])) as Values;
}
