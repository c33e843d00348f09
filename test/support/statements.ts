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
      // A match in a full-text table.
      if (/ VIRTUAL TABLE INDEX \d+:M/.test(detail)) return [];
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
  /** These are there if the statement was executed. */
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
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
    url = addressOf(this);
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
        // Creating an index counts the rows of its table, which are none in a migration.
        await client.query(
          "update pg_class set reltuples = -1 where relkind = 'r' and relnamespace = 'public'::regnamespace",
        );
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

function addressOf({ host, port, database, user, password }: pg.Client): pg.ClientConfig {
  return {
    host,
    port,
    ...(database === undefined ? {} : { database }),
    ...(user === undefined ? {} : { user }),
    ...(typeof password === 'string' ? { password } : {}),
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

export interface Reads {
  readonly statements: number;
  /** Rows of tables that PostgreSQL looks at; for SQLite, which does not tell, those that it returns. */
  readonly rows: number;
}

/**
 * Counts what the work reads from the database, except with the statements that are `cheap`. Nothing else may use it at the
 * same time.
 */
export function countReads(engine: 'sqlite' | 'postgres', work: () => Promise<void>, cheap: RegExp): Promise<Reads> {
  return engine === 'sqlite' ? countSqliteReads(work) : countPostgresReads(work, cheap);
}

async function countSqliteReads(work: () => Promise<void>): Promise<Reads> {
  const { prototype } = new SQLite(':memory:').prepare('select 1').constructor as { prototype: SQLite.Statement };
  // oxlint-disable-next-line typescript/unbound-method -- called with its statement
  const { all } = prototype;
  let [statements, rows] = [0, 0];
  prototype.all = function count(this: SQLite.Statement, ...parameters: unknown[]) {
    const found = all.apply(this, parameters);
    statements++;
    rows += found.length;
    return found;
  };
  try {
    await work();
  } finally {
    prototype.all = all;
  }
  return { statements, rows };
}

interface PostgresRead {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** PostgreSQL plans a named statement once for all values, after a few executions. */
  readonly name?: string;
}

async function explainRead(client: pg.Client, { text, values = [], name }: PostgresRead): Promise<Plan> {
  const explain = 'explain (analyze, format json, timing off)';
  if (name === undefined) {
    await client.query('set cpu_tuple_cost = 10');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`${explain} ${text}`, [...values]);
    await client.query('reset cpu_tuple_cost');
    return rows[0]!['QUERY PLAN'][0].Plan;
  }
  const literals = values.map((value) => {
    if (value === null) return 'null';
    return client.escapeLiteral(
      Array.isArray(value) ? `{${value.map((item) => JSON.stringify(item)).join()}}` : String(value),
    );
  });
  await client.query(`prepare explained as ${text}`);
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `${explain} execute explained${literals.length === 0 ? '' : `(${literals.join()})`}`,
  );
  await client.query('deallocate explained');
  return rows[0]!['QUERY PLAN'][0].Plan;
}

async function countPostgresReads(work: () => Promise<void>, cheap: RegExp): Promise<Reads> {
  type Query = (this: pg.Client, ...args: unknown[]) => unknown;
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const { query } = prototype;
  const reads: PostgresRead[] = [];
  let address: pg.ClientConfig = {};
  prototype.query = function collect(...args) {
    const [config] = args as [Partial<PostgresRead>];
    if (/^\s*(?:select|with)\b/i.test(config.text ?? '')) reads.push(config as PostgresRead);
    address = addressOf(this);
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  const explaining = new pg.Client(address);
  await explaining.connect();
  try {
    // With few rows, reading all of them is a good plan. What matters is whether there is one that reads fewer.
    await explaining.query(
      'set enable_seqscan = off; set random_page_cost = 1.1; set plan_cache_mode = force_generic_plan',
    );
    let rows = 0;
    for (const read of reads.filter(({ text }) => !cheap.test(text)))
      rows += rowsRead(await explainRead(explaining, read));
    return { statements: reads.length, rows };
  } finally {
    await explaining.end();
  }
}

function rowsRead(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);
  if (plan['Relation Name'] === undefined && plan['Index Name'] === undefined) return inner;
  const rows = (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0);
  return inner + (rows + (plan['Rows Removed by Index Recheck'] ?? 0)) * (plan['Actual Loops'] ?? 1);
}
