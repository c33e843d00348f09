// A clock that can be set while a process runs: libfaketime before it, which reads from a file by how much the time of day is off.
// What only counts on (the monotonic clock) is left as it is, as the kernel does it when somebody sets the clock.
import { globSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
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
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
