// Dumps and restores with PostgreSQL's own programs. The password is passed in the environment, because every user of
// the machine can read command lines.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { sql } from 'kysely';
import { sealingKeyEntry } from '../meta.ts';
import type { Queries } from '../store.ts';
import { directUrl, postgresAddresses } from './postgres-route.ts';
import type { DatabaseFacts } from './sqlite-inspect.ts';

export async function postgresDump(url: string, to: string): Promise<void> {
  await run('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${to}`], url);
}

/** Restores everything or nothing. */
export async function postgresRestore(url: string, from: string): Promise<void> {
  const { PGDATABASE } = connectionEnvironment(url);
  // Comments are those of extensions, which only their owners may set.
  const options = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges', '--no-comments'];
  await run('pg_restore', [...options, `--dbname=${PGDATABASE}`, from], url);
}

/** Throws if pg_restore cannot read the file. */
export async function checkPostgresDump(file: string): Promise<void> {
  await run('pg_restore', ['--list', file]);
}

export async function postgresFacts(queries: Queries): Promise<DatabaseFacts> {
  const column = async (statement: ReturnType<typeof sql<{ value: string }>>) =>
    (await statement.execute(queries)).rows.map((row) => row.value);
  const tables = new Set(
    await column(sql`select tablename as value from pg_tables where schemaname = current_schema()`),
  );
  return {
    migrations: tables.has('migrations') ? await column(sql`select name as value from migrations order by name`) : [],
    sealingKey: tables.has('meta')
      ? (await column(sql`select value from meta where name = ${sealingKeyEntry}`))[0]
      : undefined,
  };
}

export async function postgresVersion(queries: Queries): Promise<number> {
  const { rows } = await sql<{ version: string }>`
select current_setting('server_version_num') as version`.execute(queries);
  return Math.floor(Number(rows[0]!.version) / 10_000);
}

/** These programs change settings of their connection, so they bypass a pooler. */
function connectionEnvironment(pooledUrl: string): Record<string, string> {
  const url = directUrl(pooledUrl) ?? pooledUrl;
  const addresses = postgresAddresses(url);
  // The URL class supports only one address.
  const { username, password, pathname, searchParams } = new URL(
    url.replace(/^([^/]*\/\/(?:[^@/?#]*@)?)[^/?#]*/, '$1host'),
  );
  const settings = {
    PGHOST: searchParams.get('host') ?? addresses.map(({ host }) => host).join(),
    PGPORT: searchParams.get('port') ?? addresses.map(({ port }) => port).join(),
    PGTARGETSESSIONATTRS: searchParams.get('target_session_attrs') ?? (addresses.length > 1 ? 'read-write' : ''),
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get('sslmode') ?? '',
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
}

async function run(program: string, args: readonly string[], url?: string): Promise<void> {
  const env = { ...process.env, ...(url === undefined ? {} : connectionEnvironment(url)) };
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const [status] = (await once(child, 'close').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT'
      ? new Error(`${program} is not on this machine: install PostgreSQL's client (Debian: postgresql-client)`)
      : error;
  })) as [number | null];
  if (status !== 0) throw new Error(`${program} failed: ${output.trim()}`);
}
