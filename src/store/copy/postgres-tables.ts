// The tables of a PostgreSQL database, to copy from or to in one transaction.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import { bossJobColumns, bossJobNumbers, bossJobRows, insertBossJobs } from './boss-jobs.ts';
import { jobsTable, normalizeJob, pageRows, tableNotCopied, type Cell, type CopyTarget, type Row } from './tables.ts';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

export async function postgresTables(queries: Queries): Promise<CopyTarget> {
  const allColumns = await readColumns(queries);
  const typeOf = new Map(allColumns.map(({ table, name, type }) => [`${table}.${name}`, type]));
  for (const name of bossJobNumbers) typeOf.set(`${jobsTable}.${name}`, 'bigint');
  const columns = new Map<string, string[]>();
  for (const { table, name } of allColumns) columns.set(table, [...(columns.get(table) ?? []), name]);
  const references = async () =>
    select<{ table: string; name: string }>(sql`select conrelid::regclass::text as table, quote_ident(conname) as name
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`);
  /** The tables whose rows the database numbers, with the sequence. */
  const sequences = async () =>
    select<{ table: string; sequence: string }>(sql`select table_name as table,
      pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`);
  let jobsInserted = 0;

  async function select<R>(query: ReturnType<typeof sql>): Promise<R[]> {
    return (await query.execute(queries)).rows as R[];
  }
  const run = async (text: string): Promise<void> => void (await sql.raw(text).execute(queries));

  return {
    columns: new Map([...columns, [jobsTable, bossJobColumns]]),
    async *rows(table, names) {
      const types = names.map((name) => typeOf.get(`${table}.${name}`) ?? 'text');
      const from = table === jobsTable ? `(${bossJobRows}) as jobs` : `"${table}"`;
      if (table === jobsTable && !(await hasBoss(queries))) return;
      await run(`declare copied no scroll cursor for select ${names.map(selection(types)).join(', ')} from ${from}`);
      for (;;) {
        const { rows } = await sql
          .raw<Record<string, string | Buffer | null>>(`fetch ${pageRows} from copied`)
          .execute(queries);
        const page = rows.map((row): Row => Object.values(row).map((value, index) => toCell(value, types[index]!)));
        yield table === jobsTable ? page.map((row) => normalizeJob(row, names)) : page;
        if (rows.length < pageRows) break;
      }
      await run('close copied');
    },
    async lastIds() {
      const ids = new Map<string, bigint>();
      for (const { table, sequence } of await sequences()) {
        const [row] = await select<{ last: string | null }>(
          sql`select case when is_called then last_value end::text as last from ${sql.raw(sequence)}`,
        );
        if (row!.last !== null) ids.set(table, BigInt(row!.last));
      }
      return ids;
    },
    async measure() {
      let rows = 0;
      for (const table of columns.keys()) {
        const [row] = await select<{ count: number }>(sql`select count(*) from ${sql.table(table)}`);
        rows += row!.count;
      }
      const [size] = await select<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`);
      return { rows, bytes: size!.bytes };
    },
    async start() {
      for (const table of columns.keys()) await run(`alter table "${table}" disable trigger user`);
      for (const { table, name } of await references())
        await run(`alter table ${table} alter constraint ${name} deferrable initially deferred`);
      for (const table of columns.keys()) await run(`delete from "${table}"`);
      await run('set constraints all immediate');
      await run('set constraints all deferred');
    },
    async insert(table, names, rows) {
      if (rows.length === 0) return;
      if (table === jobsTable) {
        await insertBossJobs(queries, names, rows, jobsInserted);
        jobsInserted += rows.length;
        return;
      }
      const arrays = names.map(
        (name, index) => sql`${rows.map((row) => row[index])}::${sql.raw(typeOf.get(`${table}.${name}`)!)}[]`,
      );
      await sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
        select * from unnest(${sql.join(arrays)})`.execute(queries);
    },
    async setLastId(table, id) {
      const found = (await sequences()).find((entry) => entry.table === table);
      if (found !== undefined) await sql`select setval(${found.sequence}, ${String(id)}::bigint)`.execute(queries);
    },
    async finish() {
      await run('set constraints all immediate');
      for (const { table, name } of await references())
        await run(`alter table ${table} alter constraint ${name} not deferrable`);
      for (const table of columns.keys()) await run(`alter table "${table}" enable trigger user`);
    },
  };
}

/** Whole numbers as text, because the connection would return them as floating-point numbers. */
function selection(types: readonly string[]) {
  return (name: string, index: number): string => (types[index] === 'bigint' ? `"${name}"::text` : `"${name}"`);
}

function toCell(value: string | Buffer | null, type: string): Cell {
  return type === 'bigint' && value !== null ? BigInt(value as string) : value;
}

async function readColumns(queries: Queries): Promise<Column[]> {
  const { rows } = await sql<Column>`
select table_name as table, column_name as name, data_type as type from information_schema.columns
where table_schema = current_schema() and table_name <> ${tableNotCopied}
order by table_name collate "C", ordinal_position`.execute(queries);
  return rows;
}

async function hasBoss(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pgboss.job') is not null as found`.execute(
    queries,
  );
  return rows[0]!.found;
}

/** Returns the tables that are there, and pg-boss's if it has jobs. Those of extensions do not count. */
export async function storedTables(queries: Queries): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm') and relnamespace = current_schema()::regnamespace
  and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
order by relname`.execute(queries);
  const names = rows.map(({ name }) => name);
  if (!(await hasBoss(queries))) return names;
  const jobs = await sql`select 1 from pgboss.job where not starts_with(name, '__pgboss') limit 1`.execute(queries);
  return jobs.rows.length === 0 ? names : [...names, 'pgboss.job'];
}

/** Returns the number of connections to the database except this one. */
export async function otherConnections(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
  and coalesce(backend_type, 'client backend') = 'client backend'`.execute(queries);
  return rows[0]!.count;
}
