// One server per SQLite file. The lock is a database of its own that stays locked while the process lives; the system
// lets go of it however the process ends, so that no stale lock file ever needs removing.
import { join } from 'node:path';
import SQLite from 'better-sqlite3';

export interface ProcessLock {
  release(): void;
}

/** Undefined where another process holds it. */
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
