// Backups taken through the API: in the folder `backups` of the data folder, named by their time. Only the newest ones
// are kept; copies on another machine are up to the operator.
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '#lib/archive.ts';
import type { Queries } from '#store/store.ts';
import { removeLeftovers } from './leftovers.ts';
import { openBackup, type Installation, type Manifest } from './manifest.ts';

export interface StoredBackup {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

export interface Backups {
  /** Runs one at a time. */
  createInFolder(queries: Queries): Promise<StoredBackup>;
  /** Newest first, without those that cannot be read. */
  list(): Promise<StoredBackup[]>;
  /** Returns free and total bytes of the disk that holds the data folder. */
  diskSpace(): Promise<{ readonly free: number; readonly size: number }>;
}

const backupNamePattern = /^hostyard-[0-9T-]+Z\.tar$/;

export function openBackupFolder(installation: Installation, maxBackups: number): Backups {
  const folder = join(installation.dataFolder, 'backups');
  let lastRun: Promise<unknown> = Promise.resolve();

  async function listNames(): Promise<string[]> {
    // It does not exist before the first backup.
    const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    return names
      .filter((name) => backupNamePattern.test(name))
      .toSorted()
      .toReversed();
  }

  async function create(queries: Queries): Promise<StoredBackup> {
    // Loaded on first use, to keep small installations small.
    const { createBackup, recordBackup } = await import('./create.ts');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeLeftovers(folder);
    const file = `hostyard-${new Date().toISOString().replace(/[:.]/g, '-')}.tar`;
    await recordBackup(queries, await createBackup(installation, join(folder, file)));
    for (const old of (await listNames()).slice(maxBackups)) await rm(join(folder, old), { force: true });
    return (await readBackup(file))!;
  }

  async function readBackup(file: string): Promise<StoredBackup | undefined> {
    try {
      await using archive = await open(join(folder, file), 'r');
      const { manifest } = await openBackup(archive);
      return { file, bytes: (await archive.stat()).size, manifest };
    } catch (error) {
      // Damaged, or removed just now.
      if (error instanceof ArchiveError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  return {
    async diskSpace() {
      const { bavail, blocks, bsize } = await statfs(installation.dataFolder);
      return { free: bavail * bsize, size: blocks * bsize };
    },
    createInFolder(queries) {
      const backup = lastRun.then(() => create(queries));
      lastRun = backup.catch(() => {});
      return backup;
    },
    async list() {
      const backups = await Promise.all((await listNames()).map(readBackup));
      return backups.filter((backup) => backup !== undefined);
    },
  };
}
