// A SQLite database with all tables and nothing in them, which scripts/bundle-sources.ts puts into the bundle. The first start copies it,
// because running all migrations takes a fifth of a start. Servers that run from their sources have none.
import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const emptyDatabase = new URL('./empty.sqlite', import.meta.url);

/** Creates the database, unless there is one. If that fails, migrations create it. */
export function copyEmptyDatabase(file: string, source = emptyDatabase): void {
  // SQLite would apply what is left of the journal of a removed database.
  if (!existsSync(source) || ['', '-wal', '-journal'].some((suffix) => existsSync(file + suffix))) return;
  const copy = `${file}-${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(copy, readFileSync(source), { mode: 0o600, flush: true });
    // Unlike a rename, this never replaces a database that another process has created meanwhile.
    linkSync(copy, file);
  } catch {
    // The data folder may be on a file system without links.
  } finally {
    rmSync(copy, { force: true });
  }
}
