// Hot queries, built once. Kysely's builder costs 60 to 90 microseconds a query, more than SQLite needs to answer it; here
// the text is compiled at the first use and only the values change.
import { SelectQueryNode, type CompiledQuery } from 'kysely';
import { TwoConnectionAdapter } from './sqlite.ts';
import type { Queries } from './store.ts';

class Slot {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

interface Buildable<Row> {
  compile(): CompiledQuery<Row>;
}

/** A write asks for its rows by `returning`. `build` is called once per engine with stand-ins for the values; it must not look at them. */
export function prepared<Values extends object, Row>(
  build: (queries: Queries, values: Values) => Buildable<Row>,
): (queries: Queries, values: Values) => Promise<Row[]> {
  const compiledFor = new WeakMap<object, CompiledQuery<Row>>();
  const slots = new Proxy({}, { get: (_, name) => new Slot(String(name)) }) as Values;
  return (queries, values) => {
    const adapter = queries.getExecutor().adapter;
    let compiled = compiledFor.get(adapter);
    if (compiled === undefined) {
      compiled = build(queries, slots).compile();
      compiledFor.set(adapter, compiled);
    }
    const parameters = compiled.parameters.map((value) =>
      value instanceof Slot ? (values as Record<string, unknown>)[value.name] : value,
    );
    const readDirectly = adapter instanceof TwoConnectionAdapter ? adapter.readDirectly : undefined;
    if (readDirectly !== undefined && !queries.isTransaction && SelectQueryNode.is(compiled.query)) {
      return Promise.resolve(readDirectly(compiled.sql, parameters) as Row[]);
    }
    return queries.executeQuery<Row>({ ...compiled, parameters }).then((result) => result.rows);
  };
}
