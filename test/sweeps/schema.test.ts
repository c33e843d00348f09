// One schema on two engines: the same tables, columns and constraints.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { needs } from '../support/needs.ts';
import { notDurable, startPostgres } from '../support/postgres.ts';

/** The embedded engine's queue, and the texts that are searched; PostgreSQL has pg-boss's schema and other indexes. */
const onSqliteOnly = /^jobs|_search(?:$|_)/;
/** SQLite commits one transaction after the other, so their numbers are not needed. */
const onPostgresOnly = new Set(['zone_changes_by_transaction']);

async function columnsOf(store: Store): Promise<string[]> {
  const tables = await store.queries.introspection.getTables();
  return tables
    .filter(({ name }) => !onSqliteOnly.test(name))
    .flatMap(({ name, columns }) =>
      columns.map((column) => `${name}.${column.name} ${kind(column.dataType)}${column.isNullable ? '' : ' not null'}`),
    )
    .sort();
}
function kind(type: string): string {
  if (/int/i.test(type)) return 'integer';
  return type === 'bytea' ? 'blob' : type.toLowerCase();
}

async function indexesOf(store: Store): Promise<string[]> {
  const { rows } =
    store.engine === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'index' and sql is not null`.execute(
          store.queries,
        )
      : await sql<{ name: string }>`select indexname as name from pg_indexes where schemaname = 'public'
          and indexname !~ '_(pkey|key)$'`.execute(store.queries);
  return rows
    .map(({ name }) => name)
    .filter((name) => !onSqliteOnly.test(name) && !onPostgresOnly.has(name))
    .sort();
}

describe('the schema', needs('initdb', 'postgres'), () => {
  test('has the same tables, columns and indexes on SQLite and PostgreSQL', async () => {
    await using folder = await temporaryFolder('schema');
    await using postgres = await startPostgres(notDurable);
    const sqlite = await openStore({ dataFolder: folder.path, database: undefined });
    const pg = await openStore({ dataFolder: folder.path, database: await postgres.createDatabase() });
    try {
      // SQLite does not report a row id as never null.
      const withNotNullIds = (columns: string[]) =>
        columns.map((column) => column.replace(/^(\w+\.id integer)$/, '$1 not null'));
      assert.deepEqual(withNotNullIds(await columnsOf(sqlite)), await columnsOf(pg));
      assert.deepEqual(await indexesOf(sqlite), await indexesOf(pg));
    } finally {
      await sqlite.close();
      await pg.close();
    }
  });
});
