// Moves an installation from SQLite to PostgreSQL and back: every row, the numbers that were given, jobs in every state,
// and an app that continues on the other database.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { pino } from 'pino';
import { dataChecks } from '#app/doctor/data-checks.ts';
import { createHttpServer } from '#http/server.ts';
import { readConfig, type Config } from '#lib/config.ts';
import { jobWorker } from '#queue/queue.ts';
import { createApp, type RunningApp } from '#server/create-app.ts';
import { jobKinds, moveDatabase } from '#server/commands/move.ts';
import { workers } from '#server/workers.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { openStore } from '#store/open.ts';
import { serviceTraces } from '#workflows/service/service-terminate.ts';
import { anna } from '#test/support/contacts.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres, type Postgres } from '#test/support/postgres.ts';
import { lastRelease, readTables, restoreRelease } from '#test/support/releases.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { until } from '#test/support/until.ts';

const root = join(import.meta.dirname, '..', '..');
const largest = 2n ** 53n - 1n;

describe('a move between SQLite and PostgreSQL', needs('initdb', 'postgres'), () => {
  const owned = suiteResources();
  let postgres: Postgres;
  let config: Config;
  const move = (from: Config, to: string | undefined, mode: 'check' | 'move' = 'move') =>
    moveDatabase(from, { to, mode, onStart: () => {} });
  const file = () => join(config.dataFolder, 'hostyard.sqlite');
  const digest = () => createHash('sha256').update(readFileSync(file())).digest('hex');

  before(async () => {
    postgres = owned.use(await startPostgres(notDurable));
    const folder = owned.use(await temporaryFolder('move'));
    config = {
      ...readConfig({ HOSTYARD_DATA: folder.path }),
      sealingKey: Buffer.from(lastRelease.sealingKey, 'base64'),
    };
    await restoreRelease(lastRelease, config);
    await (await openStore(config)).close();
    addRareValues(file());
  });

  test('copies every row, and back again', async () => {
    const before = await readTables(config);
    const digestBefore = digest();
    const database = await postgres.createDatabase();
    const inPostgres = { ...config, database };
    const rows = await move(config, database);
    assert.ok(rows! > 200, String(rows));
    assert.equal(digest(), digestBefore, 'the source is as it was');
    assert.deepEqual(sorted(await readTables(inPostgres)), sorted(before));

    await assert.rejects(move(inPostgres, undefined), /hostyard\.sqlite exists: move it elsewhere first/);
    mkdirSync(join(config.dataFolder, 'moving-interrupted'));
    renameSync(file(), `${file()}.first`);
    await move(inPostgres, undefined);
    assert.deepEqual(sorted(await readTables(config)), sorted(before));
    assert.deepEqual(lastIds(file()), lastIds(`${file()}.first`));
    checkSearchIndex(file());
    assert.deepEqual(
      readdirSync(config.dataFolder).filter((name) => name.startsWith('moving-')),
      [],
    );
  });

  test('leaves an app that continues: secrets, numbers, events and jobs', async () => {
    const database = await postgres.createDatabase();
    const inPostgres = { ...config, database };
    const cursor = await readCursor(config);
    await move(config, database);
    const next = await continueWith(inPostgres, cursor);

    renameSync(file(), `${file()}.second`);
    await move(inPostgres, undefined);
    await continueWith(config, next);
  });

  const openApp = (where: Config) => createApp(where, { log: pino({ level: 'silent' }) });
  async function readCursor(where: Config): Promise<string> {
    await using app = await openApp(where);
    return (await callApi<EventPage>(app, 'GET', '/v2/event?newest=true')).cursor;
  }

  /** Returns the cursor after the events of this. */
  async function continueWith(where: Config, cursor: string): Promise<string> {
    await using app = await openApp(where);
    assert.deepEqual(
      workers(app).map(({ kind }) => kind),
      jobKinds,
    );
    for (const check of dataChecks.filter(({ name }) => name !== 'clock'))
      assert.deepEqual([check.name, ...(await check.run(app)).map(({ message }) => message)], [check.name]);
    const { contactid } = await callApi<{ contactid: string }>(app, 'POST', '/v2/account/contact', anna);
    assert.ok(Number(contactid) > 1000, 'the number of a deleted contact is not given again');
    const page = await callApi<EventPage>(app, 'GET', `/v2/event?after=${cursor}`);
    assert.deepEqual(
      page.events.map(({ type }) => type),
      ['contact.created'],
    );
    const failed = await app.queue.failed();
    assert.deepEqual(
      failed.map(({ kind, payload, attempts, error, failedAt }) => ({ kind, payload, attempts, error, failedAt })),
      [{ kind: 'workflow', payload: { id: 'failed' }, attempts: 3, error: 'it broke', failedAt: 1234 }],
    );
    const done: number[] = [];
    await app.queue.start([jobWorker(serviceTraces, async ({ payload }) => void done.push(payload.service))]);
    // One was queued, and one was running when its process ended.
    await until(() => done.length >= 2, { saw: () => done, patienceMs: 60_000 });
    assert.deepEqual(done.toSorted(), [1, 2]);
    // For the move back: enqueued, but no longer processed.
    await app.queue.drain();
    for (const service of [1, 2])
      await app.store.transaction((queries) => app.queue.enqueue(queries, serviceTraces, { account: 1, service }));
    return page.cursor;
  }

  test('is refused while a server runs, to a database with tables, to the same engine, and of another version', async () => {
    const database = await postgres.createDatabase();
    const lock = takeProcessLock(config.dataFolder)!;
    await assert.rejects(move(config, database), /A Hostyard server is running on this data folder. Stop it first/);
    assert.equal(await move(config, database, 'check'), undefined);
    lock.release();
    await assert.rejects(move(config, undefined), /already uses SQLite/);
    await assert.rejects(move(config, await postgres.createStoreDatabase()), /target is not empty \(it has account/);

    const inUse = { ...config, database: await postgres.createStoreDatabase() };
    const client = new pg.Client(inUse.database);
    await client.connect();
    const moved = owned.use(await temporaryFolder('move'));
    const elsewhere = { ...inUse, dataFolder: moved.path };
    await assert.rejects(move(elsewhere, undefined), /The database has 1 other connection. Stop every/);
    await client.query(`delete from migrations where name = '0001-foundation'`);
    await client.end();
    await until(() =>
      move(elsewhere, undefined).then(
        () => true,
        (error: Error) => /another version/.test(error.message),
      ),
    );
    assert.deepEqual(
      readdirSync(moved.path).filter((name) => name.includes('sqlite')),
      [],
    );
  });

  test('that was killed leaves an empty target, and can be run again', async () => {
    const database = await postgres.createDatabase();
    writeFileSync(join(config.dataFolder, 'sealing.key'), lastRelease.sealingKey, { mode: 0o600 });
    const env = {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
      HOSTYARD_DATA: config.dataFolder,
      HOSTYARD_SEALING_KEY_FILE: join(config.dataFolder, 'sealing.key'),
    };
    const to = new URL(database);
    const { password } = to;
    to.password = '';
    const args = ['bin/hostyard.js', 'move', '--to', to.href];
    const run = () => startDaemon(process.execPath, args, { cwd: root, env: { ...env, PGPASSWORD: password } });
    const killed = await run();
    await killed.printed('the server will be stopped for about');
    await killed.stop('SIGKILL');
    assert.ok(!killed.output().includes('Moved'));
    const again = await run();
    assert.equal(await again.ended, 0, again.output());
    assert.match(again.output(), /Moved [0-9,]+ rows\. Every table was read back and matches\./);
    assert.deepEqual(sorted(await readTables({ ...config, database })), sorted(await readTables(config)));
    assert.ok(existsSync(file()));
  });
});

/** Values that the engines store differently, or that a copy could lose. */
function addRareValues(path: string): void {
  const sqlite = new SQLite(path);
  sqlite
    .prepare('insert into meta (name, value) values (?, ?)')
    .run('rare', 'tab\t "quotes" \\N {a,b} NULL 東京 \u{1f40c}');
  sqlite.prepare('insert into meta (name, value) values (?, ?)').run('empty', '');
  sqlite.prepare('update accounts set last_login_at = ? where id = 1').run(largest);
  const blob = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
  sqlite.prepare('update traffic_days set packed = ? where rowid = (select min(rowid) from traffic_days)').run(blob);
  sqlite.exec("update sqlite_sequence set seq = 1000 where name = 'contacts'");
  sqlite.exec('delete from jobs');
  const job = sqlite.prepare(
    `insert into jobs (kind, key, payload, state, run_at, attempt, failures, claimed_by, heartbeat_at, error, failed_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const traces = (service: number) => JSON.stringify({ service, account: 1 });
  job.run('service-traces', null, traces(1), 'queued', 5, 0, 0, null, null, null, null);
  job.run('service-traces', null, traces(2), 'running', 6, 2, 1, 'an ended process', 7, 'once', null);
  job.run(
    'webhook-lane',
    '1 9',
    '{"webhook":1,"lane":9}',
    'queued',
    Date.now() + 86_400_000,
    4,
    2,
    null,
    null,
    'x',
    null,
  );
  job.run('workflow', 'failed', '{"id":"failed"}', 'failed', 8, 3, 3, null, null, 'it broke', 1234);
  sqlite.close();
}

/** Throws if the index differs from the rows that are searched. */
function checkSearchIndex(file: string): void {
  const database = new SQLite(file);
  database.exec("insert into services_search (services_search, rank) values ('integrity-check', 1)");
  const found = database.prepare('select count(*) from services_search where services_search match ?').pluck();
  assert.ok((found.get('"exa"') as number) > 0);
  database.close();
}

function lastIds(path: string): unknown[] {
  const sqlite = new SQLite(path, { readonly: true });
  const rows = sqlite.prepare("select name, seq from sqlite_sequence where name <> 'jobs' order by name").raw().all();
  sqlite.close();
  return rows;
}

function sorted(tables: Awaited<ReturnType<typeof readTables>>): Map<string, string[]> {
  const texts = [...tables].map(([table, { columns, rows }]): [string, string[]] => [
    `${table} (${columns.join(', ')})`,
    rows
      .map((row) =>
        row.map((cell) => (Buffer.isBuffer(cell) ? cell.toString('hex') : `${typeof cell} ${cell}`)).join(' | '),
      )
      .sort(),
  ]);
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface EventPage {
  readonly events: readonly { readonly type: string }[];
  readonly cursor: string;
}

async function callApi<Result>(
  app: RunningApp,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
): Promise<Result> {
  const http = await createHttpServer(app, { trustedProxies: [] });
  const headers = { 'x-api-key': lastRelease.keys.sqlite };
  const response = await http.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  await http.close();
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ result: Result }>().result;
}
