// The database as it stands, looked at without migrating it: whole, of this version, and sealed under this key. What is found
// here decides whether the rest can be looked at.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fault, warning, type Check, type Problem } from '#app/doctor/check.ts';
import type { Config } from '#kernel/config.ts';
import { secretBox } from '#kernel/secrets.ts';
import { migrationNames } from '#store/migrate.ts';
import { postgresFacts, postgresVersion } from '#store/engine/postgres-dump.ts';
import { inspectSqlite, type DatabaseFacts } from '#store/engine/sqlite-inspect.ts';
import { connectStore, sqliteName } from '#store/open.ts';
import { presentKey } from './key.ts';
import type { Patient } from './machine.ts';

const oldestPostgres = 14;
const restore = 'Stop the server, keep the data folder as it is, and restore the last backup.';

export const databaseChecks: readonly Check<Patient>[] = [
  {
    name: 'database',
    fine: 'It is whole, of this version, and sealed under this key.',
    async look({ config }) {
      const { problems, facts } = config.database === undefined ? sqlite(config) : await postgres(config);
      if (facts === undefined) return problems;
      return [...problems, ...versionProblems(facts), ...keyProblems(config, facts)];
    },
  },
];

interface Looked {
  readonly problems: readonly Problem[];
  readonly facts?: DatabaseFacts;
}

function sqlite({ dataFolder }: Config): Looked {
  const file = join(dataFolder, sqliteName);
  if (!existsSync(file))
    return {
      problems: [fault(`${file} is not there.`, 'Start the server once, or set HOSTYARD_DATA to where it is.')],
    };
  const { damage, orphans, ...facts } = inspectSqlite(file);
  if (damage.length > 0) return { problems: [fault(`${file} is damaged: ${damage[0]}`, restore)] };
  const problems = orphans.map(({ table, rows }) =>
    fault(`${rows} rows of ${table} refer to rows that are not there.`, restore),
  );
  return { problems, facts };
}

async function postgres(config: Config): Promise<Looked> {
  const store = await connectStore(config);
  try {
    const version = await postgresVersion(store.queries);
    const problems =
      version >= oldestPostgres
        ? []
        : [
            warning(
              `PostgreSQL ${version} is older than what Hostyard is tested on.`,
              `Upgrade it to ${oldestPostgres} or later.`,
            ),
          ];
    return { problems, facts: await postgresFacts(store.queries) };
  } catch (error) {
    const mend = 'Look at HOSTYARD_DATABASE, at the database server, and at the way between.';
    return { problems: [fault(`PostgreSQL does not answer: ${(error as Error).message}`, mend)] };
  } finally {
    await store.close();
  }
}

function versionProblems({ migrations }: DatabaseFacts): Problem[] {
  const newer = migrations.filter((name) => !migrationNames.includes(name));
  const missing = migrationNames.filter((name) => !migrations.includes(name));
  if (newer.length > 0)
    return [
      fault(
        `A newer Hostyard made its tables (${newer.join(', ')}).`,
        'Start that version, or restore a backup of this one.',
      ),
    ];
  if (missing.length > 0)
    return [
      fault(
        `It lacks ${missing.length} migrations, the first is ${missing[0]}.`,
        'Take a backup, then start this version: it migrates.',
      ),
    ];
  return [];
}

function keyProblems(config: Config, facts: DatabaseFacts): Problem[] {
  const key = presentKey(config);
  if (facts.sealingKey === undefined || key === undefined || secretBox(key).fingerprint === facts.sealingKey) return [];
  return [
    fault(
      'It was sealed under another key than this one.',
      'Put the copy of its key in place, or name it with HOSTYARD_SEALING_KEY_FILE.',
    ),
  ];
}
