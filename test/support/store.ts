// A store for tests.
import { sql } from 'kysely';
import type { StoreLocation } from '#store/location.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { temporaryFolder } from './folder.ts';
import { ensureTables } from './sqlite-tables.ts';

export async function openTestStore(location: StoreLocation): Promise<Store> {
  if (location.database === undefined) await ensureTables(location.dataFolder);
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
