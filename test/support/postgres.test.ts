import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { migrationNames } from '#store/migrate.ts';
import { startDaemon } from './daemon.ts';
import { needs } from './needs.ts';
import { startPostgres, type Postgres } from './postgres.ts';
import { until } from './until.ts';

describe('the PostgreSQL of a test file', needs('initdb', 'postgres'), () => {
  let postgres: Postgres;

  before(async () => void (postgres = await startPostgres()));

  after(() => postgres[Symbol.asyncDispose]());

  test('is durable and takes many connections', async () => {
    assert.equal(await value(postgres.url, 'show fsync'), 'on');
    assert.equal(await value(postgres.url, 'show synchronous_commit'), 'on');
    assert.equal(await value(postgres.url, 'show max_connections'), '200');
  });

  test('gives each test its own database', async () => {
    const [first, second] = await Promise.all([postgres.createDatabase(), postgres.createDatabase('An odd "name"')]);
    await value(first, 'create table thing (id integer)');
    assert.equal(await value(first, `select to_regclass('thing')::text`), 'thing');
    assert.equal(await value(second, `select to_regclass('thing')::text`), null);
    assert.equal(await value(second, 'select current_database()'), 'An odd "name"');
  });

  test("gives a database with the store's tables, isolated from the others", async () => {
    const [first, second] = await Promise.all([postgres.createStoreDatabase(), postgres.createStoreDatabase()]);
    await value(first, `insert into meta (name, value) values ('mine', 'x')`);
    const countOwnRows = `select count(*)::int from meta where name = 'mine'`;
    assert.deepEqual([await value(first, countOwnRows), await value(second, countOwnRows)], [1, 0]);
    assert.equal(await value(second, 'select count(*)::int from migrations'), migrationNames.length);
  });

  test('rejects connections without its password', async () => {
    const url = new URL(postgres.url);
    url.password = 'guess';
    await assert.rejects(value(url.href, 'select 1'), /password authentication failed/);
  });

  test('is removed with its folder once disposed of', async () => {
    const short = await startPostgres();
    const folder = await value(short.url, 'show data_directory');
    assert.ok(existsSync(String(folder)));
    await short[Symbol.asyncDispose]();
    assert.equal(existsSync(String(folder)), false);
    await assert.rejects(value(short.url, 'select 1'), { code: 'ECONNREFUSED' });
  });

  test('is removed with its folder when the test process is killed', async () => {
    const program = `
      const { startPostgres } = await import('#test/support/postgres.ts');
      const postgres = await startPostgres();
      console.log('started ' + postgres.url + ' ' + postgres.daemon.process.spawnargs.join(' '));
      setInterval(() => {}, 1000);`;
    const aborted = await startDaemon(process.execPath, ['--input-type=module-typescript', '-e', program]);
    await aborted.printed('\n');
    const [, url = '', data = ''] = /started (\S+) .* -D (\S+)/.exec(aborted.output()) ?? [];
    assert.ok(existsSync(data));
    const client = new pg.Client(url);
    client.on('error', () => {});
    await client.connect();

    const disconnected = new Promise<void>((resolve) => client.once('end', resolve));
    await aborted.stop('SIGKILL');
    await disconnected;
    await until(() => !existsSync(data));
    await assert.rejects(value(url, 'select 1'), { code: 'ECONNREFUSED' });
  });
});

async function value(url: string, query: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
