// Collects the texts of the statements that a database gets, and finds those for which it reads a whole table.
import SQLite from 'better-sqlite3';
import pg from 'pg';

export interface Scan {
  readonly table: string;
  readonly statement: string;
}

interface Collector {
  readonly statements: ReadonlySet<string>;
  /** Explains the statements of the callers' choice, on the database that got them. */
  findScans(statements: Iterable<string>): Promise<Scan[]>;
}

/** Starts to collect, for the rest of the process. */
export function collectStatements(engine: 'sqlite' | 'postgres'): Collector {
  return engine === 'sqlite' ? collectSqlite() : collectPostgres();
}

function collectSqlite(): Collector {
  const statements = new Set<string>();
  let file = '';
  // oxlint-disable-next-line typescript/unbound-method -- called with its connection
  const { prepare } = SQLite.prototype;
  SQLite.prototype.prepare = function collect(this: SQLite.Database, text: string) {
    statements.add(text);
    file = this.name;
    return prepare.call(this, text);
  } as typeof prepare;
  return {
    statements,
    async findScans(chosen) {
      SQLite.prototype.prepare = prepare;
      const database = new SQLite(file, { readonly: true });
      try {
        return [...chosen].filter(isQuery).flatMap((statement) => sqliteScans(database, statement));
      } finally {
        database.close();
      }
    },
  };
}

function sqliteScans(database: SQLite.Database, statement: string): Scan[] {
  const isTable = database.prepare("select 1 from sqlite_master where type = 'table' and name = ?");
  const isPartial = database.prepare("select 1 from sqlite_master where name = ? and sql like '% where %'");
  const parameters = statement.replaceAll(/'[^']*'/g, '').split('?').length - 1;
  const plan = database.prepare(`explain query plan ${statement}`).raw(true);
  return (plan.all(Array.from({ length: parameters }, () => null)) as [number, number, number, string][]).flatMap(
    ([, , , detail]) => {
      const [, name, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
      if (name === undefined || (index !== undefined && isPartial.get(index) !== undefined)) return [];
      const table = tableOf(statement, name);
      // An insertion looks for rows that refer to the new one only if there are some that refer to nothing.
      const isInserted = /^\s*insert into/i.test(statement) && !new RegExp(`\\bfrom "?${table}\\b`).test(statement);
      return isTable.get(table) === undefined || isInserted ? [] : [{ table, statement }];
    },
  );
}

function tableOf(statement: string, alias: string): string {
  return new RegExp(String.raw`"?(\w+)"? as "?${alias}"?(?!\w)`, 'i').exec(statement)?.[1] ?? alias;
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Plan[];
}

function collectPostgres(): Collector {
  const statements = new Set<string>();
  type Query = (this: pg.Client, ...args: unknown[]) => unknown;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  let url: pg.ClientConfig = {};
  prototype.query = function collect(...args) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    if (text !== undefined) statements.add(text);
    const { host, port, database, user, password } = this;
    url = { host, port, ...(database === undefined ? {} : { database }), ...(user === undefined ? {} : { user }) };
    if (typeof password === 'string') url = { ...url, password };
    return query.apply(this, args);
  };
  return {
    statements,
    async findScans(chosen) {
      prototype.query = query;
      const client = new pg.Client(url);
      await client.connect();
      try {
        // With few rows, reading everything is the best plan. What matters is whether there is another.
        await client.query('set enable_seqscan = off; set plan_cache_mode = force_generic_plan');
        const partial = await client.query<{ name: string }>(
          'select relname as name from pg_index join pg_class on oid = indexrelid where indpred is not null',
        );
        const partialNames = new Set(partial.rows.map(({ name }) => name));
        const scans: Scan[] = [];
        for (const statement of [...chosen].filter(isQuery)) {
          const plan = await explainPostgres(client, statement).catch((cause: unknown) => {
            throw new Error(`cannot explain ${statement}`, { cause });
          });
          for (const table of postgresScans(plan, partialNames)) scans.push({ table, statement });
        }
        return scans;
      } finally {
        await client.end();
      }
    },
  };
}

/** Explains the plan for any values of the parameters. */
async function explainPostgres(client: pg.Client, statement: string): Promise<Plan> {
  const parameters = Math.max(0, ...[...statement.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = parameters === 0 ? '' : `(${Array.from({ length: parameters }, () => 'null').join()})`;
  await client.query(`prepare explained as ${statement}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (format json) execute explained${values}`,
  );
  await client.query('deallocate explained');
  return rows[0]!['QUERY PLAN'][0].Plan;
}

function* postgresScans(plan: Plan, partialNames: ReadonlySet<string>): Iterable<string> {
  const isWhole = plan['Index Cond'] === undefined && !partialNames.has(plan['Index Name'] ?? '');
  if (/^(?:Seq|Index|Index Only) Scan$/.test(plan['Node Type']) && isWhole) yield plan['Relation Name']!;
  for (const inner of plan.Plans ?? []) yield* postgresScans(inner, partialNames);
}

/** A page of a list without conditions reads as many rows as it has. */
function isQuery(statement: string): boolean {
  const isPage = /\blimit\b/i.test(statement) && !/\bwhere\b/i.test(statement);
  return /^\s*(?:select|insert|update|delete|with)\b/i.test(statement) && !isPage;
}
