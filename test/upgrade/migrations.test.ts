// Upgrades that must not happen, or that fail: the database stays as it was.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { sql } from 'kysely';
import { migrate, migrations } from '#store/migrate.ts';
import type { Migration } from '#store/migrations/migration.ts';
import { connectStore, openStore } from '#store/open.ts';
import { startDaemon } from '#test/support/daemon.ts';
import { describeOnEngines } from '#test/support/engine-suite.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { lastRelease, readTables, restoreRelease } from '#test/support/releases.ts';
import { readSchema } from '#test/support/schema.ts';

const root = join(import.meta.dirname, '..', '..');
const failsMidway: Migration = {
  name: '9998-fails-midway',
  statements: ({ integer }) => [
    `create table halves (id ${integer} primary key)`,
    'alter table accounts add column half text',
    "update accounts set half = 'changed'",
    'insert into missing_table values (1)',
  ],
};

describeOnEngines('an upgrade', ({ owned, emptyDatabase }) => {
  test('that fails midway leaves the database to the previous version', async () => {
    const folder = owned.use(await temporaryFolder('upgrade'));
    const location = { dataFolder: folder.path, database: (await emptyDatabase()).database };
    await restoreRelease(lastRelease, location);
    const store = await connectStore(location);
    owned.defer(() => store.close());
    const read = async () => ({
      schema: await readSchema(store),
      rows: await readTables(location),
      migrations: (await sql`select name from migrations order by name`.execute(store.queries)).rows,
    });
    const before = await read();
    await assert.rejects(
      migrate(store.queries, store.engine, [...migrations, failsMidway]),
      /^Error: migration 9998-fails-midway failed, and the database is unchanged: .*missing_table/,
    );
    assert.deepEqual(await read(), before);
    const upgraded = await openStore(location);
    await upgraded.close();
    const names = migrations.map(({ name }) => name);
    assert.deepEqual(
      (await read()).migrations,
      names.toSorted().map((name) => ({ name })),
    );
  });
});

test('an older version exits with 1 on a newer database, and names the version to start', async () => {
  await using folder = await temporaryFolder('upgrade');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await sql`insert into migrations (name) values ('9999-later')`.execute(store.queries);
  await store.close();
  const daemon = await startDaemon(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compile'),
      HOSTYARD_DATA: folder.path,
      HOSTYARD_LISTEN: '127.0.0.1:0',
    },
  });
  assert.equal(await daemon.ended, 1);
  assert.match(daemon.output(), /migrated by a newer Hostyard \(it has 9999-later\): start that version, or restore/);
});
