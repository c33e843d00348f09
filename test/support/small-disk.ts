// A disk that can be filled up: a tmpfs in a mount namespace of its own, which goes with the process that holds it.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';

export interface SmallDisk extends AsyncDisposable {
  /** As a program sees it that is run through `through`. */
  readonly path: string;
  readonly through: readonly string[];
  /** As the test sees it. */
  readonly outside: string;
  /** Leaves no byte. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

const chunk = Buffer.alloc(4096);

export async function mountSmallDisk(megabytes: number): Promise<SmallDisk> {
  await using owned = new AsyncDisposableStack();
  const { path } = owned.use(await temporaryFolder('disk'));
  const script = 'mount -t tmpfs -o size="$2"m none "$1" && echo mounted && exec sleep infinity';
  const holder = owned.use(
    await startDaemon('unshare', ['--mount', '--', 'sh', '-c', script, 'sh', path, String(megabytes)]),
  );
  await holder.printed('mounted');
  const { pid } = holder.process;
  const outside = join(`/proc/${pid}/root`, path);
  const filler = join(outside, 'filler');
  const kept = owned.move();
  return {
    path,
    through: ['nsenter', `--mount=/proc/${pid}/ns/mnt`, `--wd=${process.cwd()}`],
    outside,
    async fill() {
      for (;;) {
        try {
          await writeFile(filler, chunk, { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return;
          throw error;
        }
      }
    },
    free: () => rm(filler),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
