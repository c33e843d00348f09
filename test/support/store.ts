// The store of a test. Its tables are those that openStore makes, but SQLite's are made once a process and copied from then on:
// a world of the workflows' harness, of which there are hundreds, would take longer to make them than for all that it does.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, sqliteName, type StoreLocation } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from './folder.ts';

let tables: Promise<Buffer> | undefined;

export async function openTestStore(location: StoreLocation): Promise<Store> {
  const file = join(location.dataFolder, sqliteName);
  if (location.database === undefined && !existsSync(file)) await writeFile(file, await (tables ??= makeTables()));
  return openStore(location);
}

/** The file of a database in which there is nothing yet. */
async function makeTables(): Promise<Buffer> {
  await using folder = await temporaryFolder('tables');
  const store = await openStore({ dataFolder: folder.path, database: undefined });
  await store.close();
  return readFile(join(folder.path, sqliteName));
}
