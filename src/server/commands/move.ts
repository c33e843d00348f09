// Moves the data of an installation between SQLite and PostgreSQL. The target is written in one transaction, or in a
// file that gets its name last, so a move that was interrupted can be run again. The source is only read.
import { existsSync } from 'node:fs';
import { link, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { recoveryJob } from '#app/account/recovery.ts';
import { maintenanceJob } from '#app/operator/maintenance-notification.ts';
import { staffRecoveryJob } from '#app/operator/recovery.ts';
import { webhookLane } from '#events/append.ts';
import { backupJob } from '#workflows/machine/backup-job.ts';
import { exportJob } from '#app/privacy/exports.ts';
import { signUpJob } from '#app/sign-up/requests.ts';
import { mailJob } from '#events/mail.ts';
import { syncFolder } from '#lib/archive.ts';
import { CommandError } from '#lib/command-error.ts';
import type { Config } from '#lib/config.ts';
import { countText } from '#lib/count-text.ts';
import { postgresFacts } from '#store/engine/postgres-dump.ts';
import { otherConnections, postgresTables, storedTables } from '#store/copy/postgres-tables.ts';
import { sqliteTables } from '#store/copy/sqlite-tables.ts';
import { copyTables, type CopySource, type DatabaseSize } from '#store/copy/tables.ts';
import { inspectSqlite } from '#store/engine/sqlite-inspect.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { sqliteName, type StoreLocation } from '#store/location.ts';
import { lockMigrations, migrateIn, migrationNames } from '#store/migrate.ts';
import { connectStore, openStore } from '#store/open.ts';
import type { Queries } from '#store/store.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { serviceTraces } from '#workflows/service/service-terminate.ts';

/** All kinds of jobs that a server processes. */
export const jobKinds = [
  webhookLane,
  mailJob,
  exportJob,
  backupJob,
  recoveryJob,
  signUpJob,
  staffRecoveryJob,
  maintenanceJob,
  serviceTraces,
  workflowJob,
] as const;

export interface MoveOptions {
  /** A postgres:// URL, or undefined for the SQLite file in the data folder. */
  readonly to: string | undefined;
  /** A check works while the server runs, and changes nothing. */
  readonly mode: 'check' | 'move';
  readonly onStart: (size: DatabaseSize) => void;
}

interface OpenedSource extends AsyncDisposable {
  readonly tables: CopySource;
  readonly migrations: readonly string[];
}

const noTimeout = { timeoutMs: undefined };
const scratchPrefix = 'moving-';

/** Returns the number of rows, or undefined after a check. */
export async function moveDatabase(config: Config, { to, mode, onStart }: MoveOptions): Promise<number | undefined> {
  const target: StoreLocation = { dataFolder: config.dataFolder, database: to };
  if ((config.database === undefined) === (to === undefined))
    throw new CommandError(
      `This installation already uses ${to === undefined ? 'SQLite' : 'PostgreSQL'}. Choose the other database.`,
    );
  // Both directions use the data folder, and a server on either database would lose what it writes now.
  using lock = mode === 'move' ? lockFolder(config.dataFolder) : undefined;
  await using source =
    config.database === undefined ? openSqliteSource(config, mode) : await openPostgresSource(config, mode);
  checkVersion(source.migrations);
  await checkEmpty(target);
  onStart(await source.tables.measure());
  if (lock === undefined) return undefined;
  const copied = await (to === undefined
    ? copyToSqlite(source.tables, config.dataFolder)
    : copyToPostgres(source.tables, target));
  return [...copied.values()].reduce((sum, { rows }) => sum + rows, 0);
}

function lockFolder(dataFolder: string): Disposable {
  const lock = takeProcessLock(dataFolder);
  if (lock === undefined) throw new CommandError('A Hostyard server is running on this data folder. Stop it first.');
  return { [Symbol.dispose]: () => lock.release() };
}

function openSqliteSource({ dataFolder }: Config, mode: MoveOptions['mode']): OpenedSource {
  const file = join(dataFolder, sqliteName);
  if (!existsSync(file)) throw new CommandError(`Database ${file} does not exist.`);
  const { damage, migrations } = inspectSqlite(file);
  if (damage.length > 0) throw new CommandError(`The database is damaged: ${damage[0]}`);
  const database = new SQLite(file, { readonly: mode === 'check', fileMustExist: true, timeout: 10_000 });
  // Keeps other commands from writing until the end.
  database.exec(mode === 'check' ? 'begin' : 'begin immediate');
  return { tables: sqliteTables(database), migrations, [Symbol.asyncDispose]: async () => void database.close() };
}

async function openPostgresSource(config: Config, mode: MoveOptions['mode']): Promise<OpenedSource> {
  await using opened = new AsyncDisposableStack();
  const store = opened.adopt(await connectStore(config, noTimeout), (part) => part.close());
  const { migrations } = await postgresFacts(store.queries);
  const transaction = opened.adopt(
    await store.queries.startTransaction().setIsolationLevel('repeatable read').execute(),
    async (part) => void (await part.rollback().execute()),
  );
  if (mode === 'move') {
    await lockMigrations(transaction);
    const others = await otherConnections(transaction);
    if (others > 0)
      throw new CommandError(
        `The database has ${countText(others, 'other connection')}. Stop every Hostyard server and disconnect other programs.`,
      );
  }
  const tables = await postgresTables(transaction);
  const owned = opened.move();
  return { tables, migrations, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Both sides have the tables of this version. */
function checkVersion(migrations: readonly string[]): void {
  if (migrations.length !== migrationNames.length || migrations.some((name) => !migrationNames.includes(name)))
    throw new CommandError('The database has another version. Start the server of this version once, then stop it.');
}

async function checkEmpty({ dataFolder, database }: StoreLocation): Promise<void> {
  if (database === undefined) {
    const file = join(dataFolder, sqliteName);
    if (existsSync(file)) throw new CommandError(`${file} exists: move it elsewhere first`);
    return;
  }
  const store = await connectStore({ dataFolder, database });
  try {
    await checkNoTables(store.queries);
  } finally {
    await store.close();
  }
}

async function checkNoTables(queries: Queries): Promise<void> {
  const [first, ...more] = await storedTables(queries);
  if (first === undefined) return;
  const found = more.length === 0 ? first : `${first} and ${more.length} more`;
  throw new CommandError(`The target is not empty (it has ${found}). Create a new database and move to it.`);
}

async function copyToPostgres(source: CopySource, target: StoreLocation): ReturnType<typeof copyTables> {
  const { createBossQueues } = await import('#queue/pg-boss.ts');
  await createBossQueues(target.database!, jobKinds);
  const store = await connectStore(target, noTimeout);
  try {
    return await store.queries.transaction().execute(async (queries) => {
      // Again, under the lock: a server may have started on it since.
      await lockMigrations(queries);
      await checkNoTables(queries);
      await migrateIn(queries, 'postgres');
      return copyTables(source, await postgresTables(queries));
    });
  } finally {
    await store.close();
  }
}

async function copyToSqlite(source: CopySource, dataFolder: string): ReturnType<typeof copyTables> {
  // Holding the folder's lock means that nobody else is writing these.
  for (const name of (await readdir(dataFolder)).filter((entry) => entry.startsWith(scratchPrefix)))
    await rm(join(dataFolder, name), { recursive: true, force: true });
  const scratch = await mkdtemp(join(dataFolder, scratchPrefix));
  try {
    const copied = await fillSqlite(source, scratch);
    // Unlike a rename, this never replaces a file.
    await link(join(scratch, sqliteName), join(dataFolder, sqliteName));
    await syncFolder(dataFolder);
    return copied;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function fillSqlite(source: CopySource, dataFolder: string): ReturnType<typeof copyTables> {
  await (await openStore({ dataFolder, database: undefined })).close();
  const database = new SQLite(join(dataFolder, sqliteName));
  try {
    const copied = await copyTables(source, sqliteTables(database));
    // Into the file itself, which gets its name alone.
    database.pragma('wal_checkpoint(truncate)');
    return copied;
  } finally {
    database.close();
  }
}
