// Compiles hot queries once. Kysely's builder takes 60 to 90 microseconds per query, more than SQLite needs to run it;
// here the text is compiled on first use and only the values change. Benchmark: bench/api.ts; see
// docs/decisions/prepared-queries.md.
import { SelectQueryNode, type CompiledQuery } from 'kysely';
import type { Queries } from '../store.ts';
import { TwoConnectionAdapter } from './sqlite.ts';

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

/**
 * Returns a query that is compiled once per engine. `build` gets placeholders for the values and must not look at
 * them. Writes return their rows with `returning`.
 */
export function prepared<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Buildable<Row>,
): (queries: Queries, values: Values) => Promise<Row[]> {
  const run = preparedRows<Values, Row>((queries, [values]) => build(queries, values!));
  return (queries, values) => run(queries, [values]);
}

/** Larger numbers of rows seldom repeat. */
const maxCompiledRows = 16;

/** Returns a query for a varying number of rows, compiled once for each small number. */
export function preparedRows<Values extends object, Row>(
  build: (queries: Queries, rows: readonly Values[]) => Buildable<Row>,
): (queries: Queries, rows: readonly Values[]) => Promise<Row[]> {
  const compiledFor = new WeakMap<object, CompiledQuery<Row>[]>();
  return (queries, rows) => {
    const adapter = queries.getExecutor().adapter;
    let known = compiledFor.get(adapter);
    if (known === undefined) compiledFor.set(adapter, (known = []));
    let compiled = known[rows.length];
    if (compiled === undefined) {
      compiled = build(queries, placeholders<Values>(rows.length)).compile();
      if (rows.length <= maxCompiledRows) known[rows.length] = compiled;
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? (rows[value.row] as Record<string, unknown>)[value.name] : value,
    );
    const readDirectly = adapter instanceof TwoConnectionAdapter ? adapter.readDirectly : undefined;
    if (readDirectly !== undefined && !queries.isTransaction && SelectQueryNode.is(compiled.query)) {
      return Promise.resolve(readDirectly(compiled.sql, parameters) as Row[]);
    }
    return queries.executeQuery<Row>({ ...compiled, parameters }).then((result) => result.rows);
  };
}

function placeholders<Values extends object>(count: number): Values[] {
  return Array.from(
    { length: count },
    (_, row) => new Proxy({}, { get: (_target, name) => new Slot(row, String(name)) }) as Values,
  );
}

/** Returns an update of varying columns, compiled once for each combination. */
export function preparedChange<Change extends object, Values extends object, Row>(
  build: (queries: Queries, change: Change, values: Values) => Buildable<Row>,
): (queries: Queries, change: Change, values: Values) => Promise<Row[]> {
  const known = new Map<string, (queries: Queries, rows: readonly object[]) => Promise<Row[]>>();
  return (queries, change, values) => {
    const names = Object.keys(change);
    const choice = names.join();
    let run = known.get(choice);
    if (run === undefined) {
      run = preparedRows<object, Row>((inner, [changed, others]) =>
        build(
          inner,
          Object.fromEntries(names.map((name) => [name, (changed as Record<string, unknown>)[name]])) as Change,
          others as Values,
        ),
      );
      known.set(choice, run);
    }
    return run(queries, [change, values]);
  };
}
