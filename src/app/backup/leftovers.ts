// A backup whose process was killed leaves its copy of the database behind, with data of customers who may be erased since.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs } from '#lib/time.ts';

/** Begins the name of the folder in which a backup is made. */
export const scratchPrefix = '.hostyard-backup-';

/** Removes those of a day ago: no backup takes as long, and one of the command line may be running. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(scratchPrefix) && !/\.tar\.\d+\.partial$/.test(name)) continue;
    const path = join(folder, name);
    // Another process may have removed it.
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > dayMs) await rm(path, { recursive: true, force: true });
  }
}
