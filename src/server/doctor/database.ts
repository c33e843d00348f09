// Checks the database without migrating it: integrity, version and sealing key. The result decides whether further checks can
// run.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import type { Config } from '#lib/config.ts';
import { secretBox } from '#lib/secrets.ts';
import { migrationNames } from '#store/migrate.ts';
import { postgresFacts, postgresVersion } from '#store/engine/postgres-dump.ts';
import { inspectSqlite, type DatabaseFacts } from '#store/engine/sqlite-inspect.ts';
import { sqliteName } from '#store/location.ts';
import { NoConnection } from '#store/engine/unavailable.ts';
import { connectStore } from '#store/open.ts';
import { findSealingKey, type Target } from './machine.ts';

const oldestPostgres = 14;
const restore = 'Stop the server, keep a copy of the data folder, and restore the last backup.';

export const databaseChecks: readonly Check<Target>[] = [
  {
    name: 'database',
    okMessage: 'Intact, up to date, and sealed with this key.',
    async run({ config }) {
      const { problems, facts } =
        config.database === undefined ? inspectSqliteDatabase(config) : await inspectPostgresDatabase(config);
      if (facts === undefined) return problems;
      return [...problems, ...versionProblems(facts), ...keyProblems(config, facts)];
    },
  },
];

interface Inspection {
  readonly problems: readonly Problem[];
  readonly facts?: DatabaseFacts;
}

function inspectSqliteDatabase({ dataFolder }: Config): Inspection {
  const file = join(dataFolder, sqliteName);
  const create = 'Start the server once, or set HOSTYARD_DATA to its folder.';
  if (!existsSync(file)) return { problems: [fault(`${file} does not exist.`, create)] };
  const { damage, orphans, ...facts } = inspectSqlite(file);
  if (damage.length > 0) return { problems: [fault(`${file} is damaged: ${damage[0]}`, restore)] };
  const problems = orphans.map(({ table, rows }) => fault(`${rows} rows of ${table} refer to missing rows.`, restore));
  return { problems, facts };
}

async function inspectPostgresDatabase(config: Config): Promise<Inspection> {
  const store = await connectStore(config);
  try {
    const version = await postgresVersion(store.queries);
    const message = `PostgreSQL ${version} is older than the versions that Hostyard is tested with.`;
    const problems = version >= oldestPostgres ? [] : [warning(message, `Upgrade to ${oldestPostgres} or later.`)];
    return { problems, facts: await postgresFacts(store.queries) };
  } catch (error) {
    const fix = 'Check HOSTYARD_DATABASE, the database server and the network.';
    const { message } = error as Error;
    return { problems: [fault(error instanceof NoConnection ? message : `PostgreSQL reports: ${message}`, fix)] };
  } finally {
    await store.close();
  }
}

function versionProblems({ migrations }: DatabaseFacts): Problem[] {
  const newer = migrations.filter((name) => !migrationNames.includes(name));
  const missing = migrationNames.filter((name) => !migrations.includes(name));
  if (newer.length > 0) {
    const fix = 'Start that version, or restore a backup of this version.';
    return [fault(`A newer version of Hostyard has migrated it (${newer.join(', ')}).`, fix)];
  }
  if (missing.length === 0) return [];
  const fix = 'Create a backup, then start the server, which migrates the database.';
  return [fault(`${missing.length} migrations are missing, starting with ${missing[0]}.`, fix)];
}

function keyProblems(config: Config, facts: DatabaseFacts): Problem[] {
  const key = findSealingKey(config);
  if (facts.sealingKey === undefined || key === undefined || secretBox(key).fingerprint === facts.sealingKey) return [];
  const fix = 'Restore the original key from your copy, or set HOSTYARD_SEALING_KEY_FILE to it.';
  return [fault('It was sealed with another key.', fix)];
}
