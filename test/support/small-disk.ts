// A disk that can be filled: a tmpfs in its own mount namespace, which ends with the process that holds it.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDaemon } from './daemon.ts';
import { temporaryFolder } from './folder.ts';
import { withResources } from './resources.ts';

export interface SmallDisk extends AsyncDisposable {
  /** Path as seen by programs run through `through`. */
  readonly path: string;
  readonly through: readonly string[];
  /** Path as seen by the test. */
  readonly outside: string;
  /** Fills it completely. */
  fill(): Promise<void>;
  free(): Promise<void>;
}

/** The small ones fill what the large ones leave. */
const chunks = [Buffer.alloc(1 << 20), Buffer.alloc(4096)];

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
  async function hasSpace(chunk: Buffer): Promise<boolean> {
    try {
      await writeFile(filler, chunk, { flag: 'a' });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
      throw error;
    }
  }
  return withResources(owned, {
    path,
    through: ['nsenter', `--mount=/proc/${pid}/ns/mnt`, `--wd=${process.cwd()}`],
    outside,
    async fill() {
      for (const chunk of chunks) while (await hasSpace(chunk));
    },
    free: () => rm(filler),
  });
}
