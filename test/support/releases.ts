// The databases of earlier releases, which scripts/store-release.ts stores in test/upgrade/releases.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import SQLite from 'better-sqlite3';
import pg from 'pg';
import { postgresTables } from '#store/copy/postgres-tables.ts';
import { sqliteTables } from '#store/copy/sqlite-tables.ts';
import type { CopySource, Row } from '#store/copy/tables.ts';
import { sqliteName, type StoreLocation } from '#store/location.ts';
import { connectStore } from '#store/open.ts';

export interface Release {
  /** Date and commit. */
  readonly name: string;
  readonly commit: string;
  readonly sealingKey: string;
  /** An API key of the customer, in each database. */
  readonly keys: { readonly sqlite: string; readonly postgres: string };
}

const folder = join(import.meta.dirname, '..', 'upgrade', 'releases');

/** Oldest first. */
export const releases: readonly Release[] = readdirSync(folder)
  .toSorted()
  .map((name) => ({ ...(JSON.parse(readFileSync(join(folder, name, 'release.json'), 'utf8')) as Release), name }));
export const lastRelease = releases.at(-1)!;
/** The names of the migrations that the last release has. */
export const lastMigrations: ReadonlySet<string> = readMigrations(lastRelease);

function readMigrations({ name }: Release): Set<string> {
  const sqlite = new SQLite(gunzipSync(readFileSync(join(folder, name, 'sqlite.gz'))));
  const names = sqlite.prepare('select name from migrations').pluck().all() as string[];
  sqlite.close();
  return new Set(names);
}

/** Puts the release's database into an empty data folder, or an empty PostgreSQL database. */
export async function restoreRelease({ name }: Release, { dataFolder, database }: StoreLocation): Promise<void> {
  const unpack = (file: string): Buffer => gunzipSync(readFileSync(join(folder, name, file)));
  if (database === undefined) return writeFileSync(join(dataFolder, sqliteName), unpack('sqlite.gz'));
  const client = new pg.Client(database);
  await client.connect();
  try {
    // Lines with a backslash are commands of psql.
    await client.query(
      unpack('postgres.sql.gz')
        .toString()
        .replaceAll(/^\\.*$/gm, ''),
    );
  } finally {
    await client.end();
  }
}

export interface StoredTable {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Reads every row, without migrating. */
export async function readTables(location: StoreLocation): Promise<Map<string, StoredTable>> {
  if (location.database === undefined) {
    const sqlite = new SQLite(join(location.dataFolder, sqliteName), { readonly: true });
    try {
      return await readAll(sqliteTables(sqlite));
    } finally {
      sqlite.close();
    }
  }
  const store = await connectStore(location);
  try {
    return await store.queries.transaction().execute(async (queries) => readAll(await postgresTables(queries)));
  } finally {
    await store.close();
  }
}

async function readAll(source: CopySource): Promise<Map<string, StoredTable>> {
  const tables = new Map<string, StoredTable>();
  for (const [table, columns] of source.columns) {
    const rows: Row[] = [];
    for await (const page of source.rows(table, columns)) rows.push(...page);
    tables.set(table, { columns, rows });
  }
  return tables;
}
