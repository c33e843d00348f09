// An empty database of either engine, for tests of a migration that changes existing rows.
import { Kysely, sql } from 'kysely';
import { sqliteDialect } from '#store/engine/sqlite.ts';
import { columnTypes } from '#store/migrate.ts';
import type { Migration } from '#store/migrations/migration.ts';
import type { EngineUnderTest } from './app.ts';
import { temporaryFolder } from './folder.ts';

export interface UnmigratedDatabase extends AsyncDisposable {
  readonly queries: Kysely<Record<string, Record<string, unknown>>>;
  run(statement: string): Promise<void>;
  migrate(...migrations: readonly Migration[]): Promise<void>;
}

export async function openUnmigratedDatabase({ engine, start }: EngineUnderTest): Promise<UnmigratedDatabase> {
  await using owned = new AsyncDisposableStack();
  const { database } = await owned.use(await start()).emptyDatabase();
  const folder = owned.use(await temporaryFolder('migration'));
  const dialect =
    database === undefined
      ? sqliteDialect(`${folder.path}/hostyard.sqlite`)
      : (await import('#store/engine/postgres.ts')).postgresDialect(database);
  const queries = new Kysely<Record<string, Record<string, unknown>>>({ dialect });
  owned.defer(() => queries.destroy());
  const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(queries));
  const resources = owned.move();
  return {
    queries,
    run,
    async migrate(...migrations) {
      for (const { statements } of migrations)
        for (const statement of statements(columnTypes[engine], engine)) await run(statement);
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
