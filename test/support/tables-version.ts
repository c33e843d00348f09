// Test databases are made once per schema and kept in this folder.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
export const cacheFolder = join(root, 'node_modules', '.cache');

/** Differs after every change of the migrations. */
export function tablesVersion(): string {
  const hash = createHash('sha256');
  for (const file of globSync(['src/store/migrate.ts', 'src/store/migrations/*.ts'], { cwd: root }).toSorted())
    hash.update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 12);
}
