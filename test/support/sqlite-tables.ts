// An SQLite database with the store's tables and no rows. It is made once per schema and copied afterwards, because
// creating the tables takes ten times as long.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sqliteName } from '#store/location.ts';
import { temporaryFolder } from './folder.ts';
import { cacheFolder, tablesVersion } from './tables-version.ts';

let tables: Promise<Buffer> | undefined;

/** Puts one into the data folder, unless it has a database. */
export async function ensureTables(dataFolder: string): Promise<void> {
  const file = join(dataFolder, sqliteName);
  if (existsSync(file)) return;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await writeFile(file, await (tables ??= readTables()), { mode: 0o600 });
}

/** Returns an empty database, of an earlier run if there was one. */
async function readTables(): Promise<Buffer> {
  const cached = join(cacheFolder, `tables-${tablesVersion()}.sqlite`);
  if (!existsSync(cached)) {
    await using folder = await temporaryFolder('tables');
    // Only now, because it takes a while to load.
    const { openStore } = await import('#store/open.ts');
    const store = await openStore({ dataFolder: folder.path, database: undefined });
    await store.close();
    // Another test file may do the same. Moving is atomic, and either file will do.
    const copy = `${cached}-${randomBytes(6).toString('hex')}`;
    await mkdir(cacheFolder, { recursive: true });
    await copyFile(join(folder.path, sqliteName), copy);
    await rename(copy, cached);
  }
  return readFile(cached);
}
