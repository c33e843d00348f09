// A clock that can be set while a process runs: libfaketime before it, which reads from a file by how much the time of day is off.
// What only counts on (the monotonic clock) is left as it is, as the kernel does it when somebody sets the clock.
import { existsSync, globSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';

export interface MovedClock extends AsyncDisposable {
  /** For the process whose clock it is. */
  readonly env: Record<string, string>;
  /** So many seconds off the machine's; felt within a second. */
  set(seconds: number): Promise<void>;
}

export async function movedClock(): Promise<MovedClock> {
  const folder = await temporaryFolder('clock');
  // PostgreSQL reads it as a user of its own.
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

/** The library keeps a little shared memory for each process, which stays when that one is shot. */
async function removeLeftovers(): Promise<void> {
  for (const file of globSync('/dev/shm/{faketime_shm_,sem.faketime_sem_}*')) {
    const pid = /[0-9]+$/.exec(file)?.[0];
    if (!existsSync(`/proc/${pid}`)) await rm(file, { force: true });
  }
}
