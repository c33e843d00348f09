// The lab's repository: plain files in a folder, without encryption, so that the lab and tests need no further program.
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ApiError } from '#lib/api-error.ts';
import { randomBase32 } from '#lib/random.ts';
import type { BackupRepository, RepositoryAccess, RepositorySettings } from './driver.ts';

const idBits = 50;

export function openLabRepository({ path }: RepositorySettings, { name }: RepositoryAccess): BackupRepository {
  const folder = join(path, name);
  const probe = async (): Promise<void> => {
    await stat(path).catch((cause: unknown) => {
      throw new ApiError('backup_unreachable', { cause, internal: `the folder ${path} does not exist` });
    });
  };
  return {
    probe,
    async create() {
      await probe();
      await mkdir(folder, { recursive: true });
    },
    async store(content, signal) {
      await probe();
      const snapshot = randomBase32(idBits);
      const draft = join(folder, `${snapshot}.partial`);
      try {
        await pipeline(content, createWriteStream(draft, { mode: 0o600 }), { signal });
        await rename(draft, join(folder, snapshot));
      } finally {
        await rm(draft, { force: true });
      }
      return { snapshot, addedBytes: (await stat(join(folder, snapshot))).size };
    },
    async *read(snapshot, signal) {
      await probe();
      try {
        yield* createReadStream(join(folder, snapshot), { signal }) as AsyncIterable<Buffer>;
      } catch (cause) {
        throw new ApiError('backup_error', { cause, internal: `no backup ${snapshot}` });
      }
    },
    async keepOnly(snapshots) {
      await probe();
      let bytes = 0;
      for (const file of await readdir(folder).catch(() => []))
        if (snapshots.includes(file)) bytes += (await stat(join(folder, file))).size;
        else await rm(join(folder, file), { force: true });
      return bytes;
    },
    check: probe,
  };
}
