// A system clock that a test can set while a process runs, through libfaketime, which reads the offset from a file. The
// monotonic clock is not affected, just as when someone sets the real clock.
import { existsSync, globSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

export interface AdjustableClock extends AsyncDisposable {
  /** Environment of the process whose clock it is. */
  readonly env: Record<string, string>;
  /** Sets the offset from the real clock, in seconds. Takes effect within a second. */
  set(seconds: number): Promise<void>;
}

export async function createAdjustableClock(): Promise<AdjustableClock> {
  const folder = await temporaryFolder('clock');
  // PostgreSQL reads it under its own user.
  await chmod(folder.path, 0o711);
  const file = join(folder.path, 'offset');
  const set = async (seconds: number): Promise<void> => {
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    await rename(`${file}.new`, file);
  };
  await set(0);
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  return {
    env: {
      LD_PRELOAD: library!,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
    set,
    async [Symbol.asyncDispose]() {
      await folder[Symbol.asyncDispose]();
      await removeLeftovers();
    },
  };
}

/** libfaketime leaves shared memory behind for every process that is killed. */
async function removeLeftovers(): Promise<void> {
  for (const file of globSync('/dev/shm/{faketime_shm_,sem.faketime_sem_}*')) {
    const pid = /[0-9]+$/.exec(file)?.[0];
    if (!existsSync(`/proc/${pid}`)) await rm(file, { force: true });
  }
}
