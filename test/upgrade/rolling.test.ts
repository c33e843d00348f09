// Two versions on one database: instances of the previous release keep working while the first of this one migrates.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { postgresTables } from '#store/copy/postgres-tables.ts';
import { jobsTable } from '#store/copy/tables.ts';
import type { Queries } from '#store/store.ts';
import { migrate, migrations } from '#store/migrate.ts';
import type { Migration } from '#store/migrations/migration.ts';
import { openStore } from '#store/open.ts';
import { lastRelease, readTables, restoreRelease } from '#test/support/releases.ts';
import { until } from '#test/support/until.ts';
import { suiteResources } from '#test/support/suite-resources.ts';
import { needs } from '#test/support/needs.ts';
import { notDurable, startPostgres, type Postgres } from '#test/support/postgres.ts';

describe('an instance on PostgreSQL', needs('initdb', 'postgres'), () => {
  const owned = suiteResources();
  let postgres: Postgres;
  before(async () => void (postgres = owned.use(await startPostgres(notDurable))));

  test('keeps reading every table after another instance has added a column to it', async () => {
    const location = { dataFolder: '', database: await postgres.createStoreDatabase() };
    const [store, newer] = [await openStore(location), await openStore(location)];
    owned.defer(() => store.close());
    owned.defer(() => newer.close());
    const tables = (await newer.queries.introspection.getTables()).filter(({ schema }) => schema === 'public');
    assert.ok(tables.length > 50);
    const readAll = async (queries: Queries): Promise<void> => {
      for (const { name } of tables)
        await queries
          .selectFrom(name as 'meta')
          .selectAll()
          .limit(1)
          .execute();
    };
    // More connections than one have the statements prepared.
    await Promise.all([1, 2, 3].map(() => store.transaction(readAll)));
    for (const column of ['added_first', 'added_second']) {
      const statements = tables.map(({ name }) => `alter table "${name}" add column ${column} text`);
      await sql.raw(statements.join(';')).execute(newer.queries);
      await Promise.all([readAll(store.queries), store.transaction(readAll), store.transaction(readAll)]);
    }
  });

  test('of the previous release can still write every row that it writes', async () => {
    const old = { dataFolder: '', database: await postgres.createDatabase() };
    await restoreRelease(lastRelease, old);
    const written = await readTables(old);
    const store = await openStore({ dataFolder: '', database: await postgres.createStoreDatabase() });
    owned.defer(() => store.close());
    await store.transaction(async (queries) => {
      const target = await postgresTables(queries);
      await target.start();
      for (const [table, { columns, rows }] of written)
        // pg-boss migrates its own tables.
        if (table !== jobsTable) await target.insert(table, columns, rows);
      await target.finish();
    });
    const { rows } = await sql<{ count: number }>`select count(*) from contacts`.execute(store.queries);
    assert.equal(rows[0]!.count, written.get('contacts')!.rows.length);
  });

  test('that reads two tables is not refused while a migration changes both', async () => {
    const location = { dataFolder: '', database: await postgres.createStoreDatabase() };
    const [store, newer] = [await openStore(location), await openStore(location)];
    owned.defer(() => store.close());
    owned.defer(() => newer.close());
    const changesBoth: Migration = {
      name: '9999-changes-both',
      statements: () => ['accounts', 'contacts'].map((table) => `alter table ${table} add column later text`),
    };
    const isWaiting = async (): Promise<boolean> =>
      (await sql`select 1 from pg_locks where not granted and relation = 'contacts'::regclass`.execute(newer.queries))
        .rows.length > 0;
    let migrated: Promise<void> | undefined;
    await store.queries.transaction().execute(async (queries) => {
      await queries.selectFrom('contacts').select('id').execute();
      migrated = migrate(newer.queries, 'postgres', [...migrations, changesBoth]);
      await until(isWaiting);
      await queries.selectFrom('accounts').select('id').execute();
    });
    await migrated;
  });

  test('that migrates says which transaction it waits for', async () => {
    const location = { dataFolder: '', database: await postgres.createStoreDatabase() };
    const [store, newer] = [await openStore(location), await openStore(location)];
    owned.defer(() => store.close());
    owned.defer(() => newer.close());
    const change: Migration = {
      name: '9999-changes-accounts',
      statements: () => ['alter table accounts add column later text'],
    };
    const reported = Promise.withResolvers<string>();
    let migrated: Promise<void> | undefined;
    await store.queries.transaction().execute(async (queries) => {
      await sql`set local application_name = 'pg_dump'`.execute(queries);
      await queries.selectFrom('accounts').select('id').execute();
      migrated = migrate(newer.queries, 'postgres', [...migrations, change], reported.resolve);
      assert.match(await reported.promise, /waits for .*: pg_dump \(process \d+, for \d+ s\)$/);
    });
    await migrated;
  });
});
