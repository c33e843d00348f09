// The backups that staff take through the API: in `backups` of the data folder, named by their moment, the newest so many kept.
// On another machine they are safe; here they are at hand.
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ArchiveError } from '#kernel/archive.ts';
import type { Queries } from '#store/store.ts';
import { openBackup, type Installation, type Manifest } from './manifest.ts';

export interface StoredBackup {
  readonly file: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

export interface Backups {
  /** One at a time. */
  create(queries: Queries): Promise<StoredBackup>;
  /** Newest first; without those that cannot be read. */
  list(): Promise<StoredBackup[]>;
  /** On the disk on which they and the rest of the data folder lie, in bytes: what is left, and all of it. */
  room(): Promise<{ readonly free: number; readonly size: number }>;
}

const ownName = /^hostyard-[0-9T-]+Z\.tar$/;

export function backupFolder(installation: Installation, kept: number): Backups {
  const folder = join(installation.dataFolder, 'backups');
  let turn: Promise<unknown> = Promise.resolve();

  async function names(): Promise<string[]> {
    if (!existsSync(folder)) return [];
    return (await readdir(folder))
      .filter((name) => ownName.test(name))
      .toSorted()
      .toReversed();
  }

  async function create(queries: Queries): Promise<StoredBackup> {
    // Loaded only where it is used: a small installation should stay small.
    const { backupCreate, backupNote } = await import('./create.ts');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = `hostyard-${new Date().toISOString().replace(/[:.]/g, '-')}.tar`;
    await backupNote(queries, await backupCreate(installation, join(folder, file)));
    for (const old of (await names()).slice(kept)) await rm(join(folder, old), { force: true });
    return (await read(file))!;
  }

  async function read(file: string): Promise<StoredBackup | undefined> {
    try {
      await using archive = await open(join(folder, file), 'r');
      const { manifest } = await openBackup(archive);
      return { file, bytes: (await archive.stat()).size, manifest };
    } catch (error) {
      // Damaged, or removed a moment ago.
      if (error instanceof ArchiveError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  return {
    async room() {
      const { bavail, blocks, bsize } = await statfs(installation.dataFolder);
      return { free: bavail * bsize, size: blocks * bsize };
    },
    create(queries) {
      const mine = turn.then(() => create(queries));
      turn = mine.catch(() => {});
      return mine;
    },
    async list() {
      const found = await Promise.all((await names()).map(read));
      return found.filter((backup) => backup !== undefined);
    },
  };
}
