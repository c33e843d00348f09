// Stores the databases of a release for test/upgrade. Run it on the commit of every release:
//
//   node scripts/store-release.ts              the version in this checkout
//   node scripts/store-release.ts FOLDER REV   an earlier one, whose files are in that folder
//
// It runs the release's lab on both engines, makes the calls below, and keeps what is in the databases then, with the
// keys that open them.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { anna } from '../test/support/contacts.ts';
import { startDaemon } from '../test/support/daemon.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { findBinary } from '../test/support/needs.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { until } from '../test/support/until.ts';
import type { Lab } from '../test/support/server.ts';

const root = join(import.meta.dirname, '..');
const [folder = root, revision = 'HEAD'] = process.argv.slice(2);
const sealingKey = Buffer.alloc(32, 'a release of Hostyard').toString('base64');
/** Months of samples that the lab invents; a few of them are enough. */
const longTables = ['traffic_days', 'machine_days'];
const rowsKept = 6;

const contact = { ...anna, email: 'zoe@example.com' };
/** Earlier releases reject what they do not have yet. */
const calls: readonly (readonly [path: string, input: Record<string, unknown>])[] = [
  ['/v2/account/webhook', { url: 'https://9.9.9.9:9/hook', description: 'Straße "1" \\ 東京' }],
  ['/v2/account/contact', contact],
  ['/v2/account/key', { name: 'for backups', scopes: 'dns:read' }],
  ['/v2/dns/domain', { domain: 'release.example.com' }],
  ['/v2/network/netblock', { service: '1001', type: 'ipv4', size: '/32' }],
  ['/v2/device/power', { service: '1001', action: 'on' }],
  ['/v2/device/power', { service: '1001', action: 'cycle' }],
  ['/v2/device/hostname', { service: '1001', hostname: 'renamed.example.net' }],
  ['/v2/session', { email: 'ada@example.net', password: '' }],
];

await using owned = new AsyncDisposableStack();
const postgres = owned.use(await startPostgres());
const database = await postgres.createDatabase();
const target = join(root, 'test', 'upgrade', 'releases', releaseName());
mkdirSync(target, { recursive: true });
const keys = { sqlite: await fillWith(undefined), postgres: await fillWith(database) };
const [commit, date] = git('log', '-1', '--format=%H %cs', revision).split(' ');
writeFileSync(join(target, 'release.json'), `${JSON.stringify({ commit, date, sealingKey, keys }, null, 2)}\n`);

/** The date and commit, so that folders sort in the order of the releases. */
function releaseName(): string {
  return git('log', '-1', '--format=%cd-%h', '--date=format:%Y-%m-%d-%H%M', revision);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}

/** Returns the customer's API key. */
async function fillWith(url: string | undefined): Promise<string> {
  await using data = await temporaryFolder('release');
  const keyFile = join(data.path, 'sealing.key');
  writeFileSync(keyFile, sealingKey, { mode: 0o600 });
  await using daemon = await startDaemon(process.execPath, ['src/main.ts'], {
    cwd: resolve(folder),
    env: {
      PATH: process.env['PATH'],
      HOSTYARD_DATA: data.path,
      HOSTYARD_LISTEN: '127.0.0.1:0',
      HOSTYARD_SEALING_KEY_FILE: keyFile,
      ...(url !== undefined && { HOSTYARD_DATABASE: url }),
    },
  });
  await daemon.printed('  Try ');
  const lab = JSON.parse(readFileSync(join(data.path, 'lab.json'), 'utf8')) as Lab;
  await makeCalls(lab);
  await daemon.stop('SIGTERM');
  await (url === undefined ? storeSqlite(join(data.path, 'hostyard.sqlite')) : storePostgres(url));
  return lab.customer.key;
}

async function makeCalls(lab: Lab): Promise<void> {
  const headers = { 'x-api-key': lab.customer.key, 'content-type': 'application/json' };
  for (const [path, input] of calls) {
    const body = JSON.stringify('password' in input ? { ...input, password: lab.customer.password } : input);
    const response = await fetch(`${lab.url}${path}`, { method: 'POST', headers, body });
    console.log(response.status, path, (await response.text()).slice(0, 100));
  }
  // Workflows end within seconds; the webhook's host does not respond, so its deliveries wait.
  await until(
    async () => {
      const response = await fetch(`${lab.url}/v2/action`, { headers });
      const { result } = (await response.json()) as { result: { status: string }[] };
      return result.every(({ status }) => status !== 'Queued' && status !== 'Running');
    },
    { patienceMs: 60_000 },
  );
}

async function storeSqlite(file: string): Promise<void> {
  const sqlite = new SQLite(file);
  const existing = sqlite.prepare("select name from sqlite_schema where type = 'table'").pluck().all();
  for (const table of longTables.filter((name) => existing.includes(name)))
    sqlite.exec(`delete from ${table} where rowid > (select min(rowid) from ${table}) + ${rowsKept}`);
  sqlite.pragma('journal_mode = delete');
  sqlite.exec('vacuum');
  sqlite.close();
  writeFileSync(join(target, 'sqlite.gz'), gzipSync(readFileSync(file), { level: 9 }));
}

async function storePostgres(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const table of longTables) {
    const { rows } = await client.query<{ table: string | null }>('select to_regclass($1) as table', [table]);
    if (rows[0]!.table !== null)
      await client.query(`delete from ${table} where ctid not in (select ctid from ${table} limit ${rowsKept})`);
  }
  await client.end();
  const dump = execFileSync(findBinary('pg_dump')!, ['--inserts', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
  });
  writeFileSync(join(target, 'postgres.sql.gz'), gzipSync(dump, { level: 9 }));
}
