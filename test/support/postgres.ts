// A real PostgreSQL of one test file: its own cluster in a temporary folder, on a port the system chooses. Meant to be started
// once a file (less than a second) with a database for each test (some 50 ms), where it is wanted with Hostyard's tables in it.
// It keeps fsync on unless told, because the durability tests rest on it; everything else is set for a quick start and a small
// footprint. A password made on this machine guards it, since other users of it can reach the port too.
//
//   describe('the store on PostgreSQL', needs('initdb', 'postgres'), () => {
//     let postgres: Postgres;
//     before(async () => { postgres = await startPostgres(); });
//     after(() => postgres[Symbol.asyncDispose]());
//     test('…', async () => { const url = await postgres.createDatabase(); … });

import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startDaemon, type Daemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { findBinary } from './needs.ts';
import { freePort } from './ports.ts';

export interface Postgres extends AsyncDisposable {
  /** The maintenance database; a test takes one of its own by createDatabase. */
  url: string;
  /** A new, empty database; resolves to its URL. */
  createDatabase(name?: string): Promise<string>;
  /** A new database with the tables of the store, which it takes half as long to copy as to make; resolves to its URL. */
  createStoreDatabase(): Promise<string>;
  /** The server's process; its id is that of the postmaster. */
  daemon: Daemon;
}

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const cacheFolder = join(root, 'node_modules', '.cache');
const superuser = 'hostyard';
/** Of every cluster: what createStoreDatabase copies. */
const tablesDatabase = 'tables';
// PostgreSQL refuses to run as root; Debian's package brings this account for it.
export const account = process.getuid?.() === 0 ? { user: 'postgres' } : {};
// An immediate shutdown: no checkpoint for data that nobody will read again, but, unlike SIGKILL, no shared memory left.
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

export async function startPostgres(
  more: Record<string, string | number> = {},
  env: Record<string, string> = {},
): Promise<Postgres> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('postgres'));
  const data = join(folder.path, 'data');
  const template = await clusterTemplate();
  await run('cp', ['-a', join(template, 'data'), data]);
  if (account.user !== undefined) await run('chown', [`${account.user}:`, folder.path]);
  const password = await readFile(join(template, 'password'), 'utf8');

  const { daemon, port } = await startOnFreePort(folder.path, data, { ...settings, ...more }, { env });
  owned.use(daemon);

  const url = `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`;
  const kept = owned.move();
  return {
    url,
    createDatabase: (name = randomName()) => createDatabase(url, name),
    createStoreDatabase: () => createDatabase(url, randomName(), tablesDatabase),
    daemon,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

const randomName = (): string => `test_${randomBytes(6).toString('hex')}`;

async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(`create database ${pg.escapeIdentifier(name)} template ${template}`);
  } finally {
    await client.end();
  }
  return url.replace(/postgres$/, encodeURIComponent(name));
}

/** A cluster with the tables of the store, and its password: made once for this version of PostgreSQL and these tables, since that
 * takes ten times as long as to copy it. */
async function clusterTemplate(): Promise<string> {
  const { stdout } = await run(findBinary('initdb')!, ['--version']);
  const template = join(cacheFolder, `postgres-${/[0-9.]+/.exec(stdout)![0]}-${tablesVersion()}`);
  if (existsSync(template)) return template;
  await mkdir(cacheFolder, { recursive: true });
  await using made = await temporaryFolder('cluster');
  await createCluster(made.path);
  await createTables(made.path);
  // Two test files may come here at once. What is moved there is whole, and the first stays.
  const whole = `${template}-${randomBytes(6).toString('hex')}`;
  await run('cp', ['-a', made.path, whole]);
  await rename(whole, template).catch(() => rm(whole, { recursive: true }));
  return template;
}

async function createCluster(folder: string): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, randomBytes(16).toString('hex'), { mode: 0o600 });
  if (account.user !== undefined) await run('chown', ['-R', `${account.user}:`, folder]);
  // --no-sync and small WAL segments halve the time: nothing rests on this cluster until the server runs.
  const quick = ['--no-sync', '--no-instructions', '--wal-segsize=1'];
  const locale = ['--no-locale', '--encoding=UTF8'];
  const access = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const args = [...quick, ...locale, ...access, '-D', join(folder, 'data')];
  const initdb = await startDaemon('initdb', args, { ...account, cwd: folder });
  if ((await initdb.ended) !== 0) throw new Error(`initdb failed:\n${initdb.output()}`);
}

function tablesVersion(): string {
  const hash = createHash('sha256');
  for (const file of globSync(['src/store/migrate.ts', 'src/store/migrations/*.ts'], { cwd: root }).toSorted())
    hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
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
    // In order, so that its copies have nothing to recover from.
    await daemon.stop('SIGINT');
  }
}

// PostgreSQL cannot listen on port 0, so somebody else may take the free port before it does: then another one is tried.
export async function startOnFreePort(
  folder: string,
  data: string,
  wanted: Record<string, string | number>,
  {
    env,
    ready = 'database system is ready to accept connections',
  }: { readonly env: Record<string, string>; readonly ready?: string },
): Promise<{ daemon: Daemon; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const all = { ...wanted, port, unix_socket_directories: folder };
    const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Not before it has changed to its own account: what a library in its environment makes must be its own.
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
