// Ensures one server per SQLite file. The lock is a separate database that stays locked while the process lives; the
// system releases it however the process ends, so no stale lock file ever has to be removed.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';

export interface ProcessLock {
  release(): void;
}

/** Returns undefined if another process holds the lock. */
export function takeProcessLock(dataFolder: string): ProcessLock | undefined {
  const database = new SQLite(join(dataFolder, 'server.lock'), { timeout: 0 });
  try {
    database.pragma('locking_mode = exclusive');
    database.exec('begin exclusive; create table if not exists held (since integer)');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
}
