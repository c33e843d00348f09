// A store for tests. SQLite's tables are created once per schema and copied afterwards: the workflow harness opens
// hundreds of stores, and creating tables would dominate.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { sqliteName, type StoreLocation } from '#store/location.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from './folder.ts';
import { cacheFolder, tablesVersion } from './tables-version.ts';

let tables: Promise<Buffer> | undefined;

export async function openTestStore(location: StoreLocation): Promise<Store> {
  const file = join(location.dataFolder, sqliteName);
  if (location.database === undefined && !existsSync(file)) await writeFile(file, await (tables ??= makeTables()));
  const store = await openStore(location);
  // Nothing waits for the disk: tests may end the process, never the machine.
  if (store.engine === 'sqlite') await sql`pragma synchronous = off`.execute(store.queries);
  return store;
}

/** Opens a store in a new folder; `owned` closes the store and removes the folder. */
export async function openOwnedStore(owned: AsyncDisposableStack, name: string, database?: string): Promise<Store> {
  const folder = owned.use(await temporaryFolder(name));
  const store = await openTestStore({ dataFolder: folder.path, database });
  owned.defer(() => store.close());
  return store;
}

/** Returns an empty database, of an earlier run if there was one. */
async function makeTables(): Promise<Buffer> {
  const cached = join(cacheFolder, `tables-${tablesVersion()}.sqlite`);
  if (!existsSync(cached)) {
    await using folder = await temporaryFolder('tables');
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
