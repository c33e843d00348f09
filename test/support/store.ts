// A store for tests. SQLite's tables are created once per process and copied afterwards: the workflow harness opens
// hundreds of stores, and creating tables would dominate.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { sqliteName, type StoreLocation } from '#store/location.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from './folder.ts';

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

/** Creates an empty database file. */
async function makeTables(): Promise<Buffer> {
  await using folder = await temporaryFolder('tables');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await store.close();
  return readFile(join(folder.path, sqliteName));
}
