// A real PostgreSQL for one test file: its own cluster in a temporary folder, on a free port. Start it once per file
// (less than a second) and create a database per test (about 50 ms), optionally with Hostyard's tables. fsync stays on
// for tests that kill PostgreSQL; others disable it with `notDurable`. Everything else is tuned for a fast start and a
// small footprint. A generated password protects it, because other users of the machine can reach the port.
//
//   describe('the store on PostgreSQL', needs('initdb', 'postgres'), () => {
//     let postgres: Postgres;
//     before(async () => { postgres = await startPostgres(); });
//     after(() => postgres[Symbol.asyncDispose]());
//     test('…', async () => { const url = await postgres.createDatabase(); … });

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, statfsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import type { Queries } from '#store/store.ts';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary } from './needs.ts';
import { freePort } from './ports.ts';
import { withResources } from './resources.ts';
import { cacheFolder, tablesVersion } from './tables-version.ts';

export interface Postgres extends AsyncDisposable {
  /** The maintenance database; tests create their own with createDatabase. */
  url: string;
  /** Creates an empty database and returns its URL. */
  createDatabase(name?: string): Promise<string>;
  /** Creates a database with the store's tables and returns its URL. Copying takes half as long as creating them. */
  createStoreDatabase(): Promise<string>;
  /** The server process, whose id is the postmaster's. */
  daemon: Daemon;
}

const run = promisify(execFile);
const superuser = 'hostyard';
/** The database in every cluster that createStoreDatabase copies. */
const tablesDatabase = 'tables';
// PostgreSQL refuses to run as root; Debian's package creates this user for it.
export const account = process.getuid?.() === 0 ? { user: 'postgres' } : {};
// An immediate shutdown: no checkpoint for data that is thrown away, but, unlike SIGKILL, no leftover shared memory.
const stopSignal = 'SIGQUIT';

export const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: 200,
  fsync: 'on',
  synchronous_commit: 'on',
  shared_buffers: '32MB',
  autovacuum: 'off',
  checkpoint_timeout: '1h',
  wal_level: 'minimal',
  max_wal_senders: 0,
  jit: 'off',
};

/** Mounted on every Linux. Containers often limit it to much less than the clusters of a run need. */
const memoryFolder = '/dev/shm';
const leastMemoryBytes = 4 * 2 ** 30;

/** For tests that may kill Hostyard, but neither PostgreSQL nor the machine. */
export const notDurable = { fsync: 'off', full_page_writes: 'off' };

export async function startPostgres(
  more: Record<string, string | number> = {},
  env: Record<string, string> = {},
): Promise<Postgres> {
  await using owned = new AsyncDisposableStack();
  const isDurable = more['fsync'] !== 'off';
  const folder = owned.use(await temporaryFolder('postgres', isDurable ? tmpdir() : undurableFolder()));
  const data = join(folder.path, 'data');
  const template = await clusterTemplate();
  await run('cp', ['-a', join(template, 'data'), data]);
  if (account.user !== undefined) await run('chown', [`${account.user}:`, folder.path]);
  const password = await readFile(join(template, 'password'), 'utf8');

  const { daemon, port } = await startOnFreePort(folder.path, data, { ...settings, ...more }, { env });
  owned.use(daemon);

  const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
  // Copying files is quicker than logging their blocks, unless each file waits for the disk.
  const strategy = isDurable ? 'wal_log' : 'file_copy';
  return withResources(owned, {
    url,
    createDatabase: (name = randomName()) => createDatabase(url, name, { strategy }),
    createStoreDatabase: () => createDatabase(url, randomName(), { template: tablesDatabase, strategy }),
    daemon,
  });
}

/** In memory if there is room: a cluster has thousands of files, and creating those on a disk can take seconds of CPU time. */
function undurableFolder(): string {
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize >= leastMemoryBytes ? memoryFolder : tmpdir();
}

const randomName = (): string => `test_${randomBytes(6).toString('hex')}`;

async function createDatabase(
  url: string,
  name: string,
  { template = 'template1', strategy = 'wal_log' } = {},
): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)} template ${template} strategy = ${strategy}`);
  } finally {
    await client.end();
  }
  return url.replace(/postgres$/, encodeURIComponent(name));
}

/**
 * A cluster with the store's tables and its password. Built once per PostgreSQL version and schema, because that takes
 * ten times as long as copying it.
 */
export async function clusterTemplate(): Promise<string> {
  const { stdout } = await run(findBinary('initdb')!, ['--version']);
  const template = join(cacheFolder, `postgres-${/[0-9.]+/.exec(stdout)![0]}-${tablesVersion()}`);
  if (existsSync(template)) return template;
  await mkdir(cacheFolder, { recursive: true });
  await using folder = await temporaryFolder('cluster');
  await createCluster(folder.path);
  await createTables(folder.path);
  // Two test files may build it at once. Moving is atomic, and the first one wins.
  const copy = `${template}-${randomBytes(6).toString('hex')}`;
  await run('cp', ['-a', folder.path, copy]);
  await rename(copy, template).catch(() => rm(copy, { recursive: true }));
  return template;
}

async function createCluster(folder: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (account.user !== undefined) await run('chown', ['-R', `${account.user}:`, folder]);
  // --no-sync and small WAL segments halve the time: durability does not matter before the server runs.
  const quick = ['--no-sync', '--no-instructions', '--wal-segsize=1'];
  const locale = ['--no-locale', '--encoding=UTF8'];
  const access = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const args = [...quick, ...locale, ...access, '-D', join(folder, 'data')];
  const initdb = await startDaemon('initdb', args, { ...account, cwd: folder });
  if ((await initdb.ended) !== 0) throw new Error(`initdb failed:\n${initdb.output()}`);
}

async function createTables(folder: string): Promise<void> {
  const password = await readFile(join(folder, 'password'), 'utf8');
  const { daemon, port } = await startOnFreePort(folder, join(folder, 'data'), settings, { env: {} });
  try {
    const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
    const database = await createDatabase(url, tablesDatabase);
    const { openStore } = await import('#store/open.ts');
    const store = await openStore({ dataFolder: folder, database });
    await store.close();
  } finally {
    // A clean shutdown, so that the copies need no recovery.
    await daemon.stop('SIGINT');
  }
}

// PostgreSQL cannot listen on port 0, so another process may take the free port first; then this tries another.
export async function startOnFreePort(
  folder: string,
  data: string,
  settings: Record<string, string | number>,
  {
    env,
    ready = 'database system is ready to accept connections',
  }: { readonly env: Record<string, string>; readonly ready?: string },
): Promise<{ daemon: Daemon; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const all = { ...settings, port, unix_socket_directories: folder };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Set after switching to the postgres user, so that files created by preloaded libraries belong to it.
    const program = [...Object.entries(env).map(([name, value]) => `${name}=${value}`), findBinary('postgres')!];
    const daemon = await startDaemon('env', [...program, '-D', data, ...args], { ...account, cwd: folder, stopSignal });
    try {
      await daemon.printed(ready);
      return { daemon, port };
    } catch (error) {
      await daemon.stop();
      if (attempt === 5 || !daemon.output().includes('could not create any TCP/IP sockets')) throw error;
    }
  }
}

/** Returns the number of locks that transactions of the whole server wait for. */
export async function waitingLocks(queries: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`.execute(
    queries,
  );
  return rows[0]!.count;
}
