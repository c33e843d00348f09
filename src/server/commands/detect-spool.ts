// Spools reports as one file each and sends them in order. Only one process sends at a time: the lock is an abstract socket
// name, which the kernel releases when its owner ends in any way.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

export type SendResult =
  | 'recorded'
  /** Permanently. */
  | 'rejected'
  /** Try again. */
  | 'later';

export interface Spool {
  put(report: object): Promise<void>;
  /** Sends the spooled reports. Returns true if none is left or another process is sending. */
  send(sendReport: (body: Buffer) => Promise<SendResult>): Promise<boolean>;
  /** Runs the callback unless another process holds the lock of this name. */
  withLock(name: string, callback: () => Promise<boolean>): Promise<boolean | 'taken'>;
}

const reportSuffix = '.json';

export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const folderHash = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);

  const withLock: Spool['withLock'] = async (name, callback) => {
    const lock = createServer();
    const isAcquired = await new Promise<boolean>((resolve) => {
      lock.once('error', () => resolve(false));
      lock.listen(`\0hostyard-detect-${folderHash}-${name}`, () => resolve(true));
    });
    if (!isAcquired) return 'taken';
    try {
      return await callback();
    } finally {
      await new Promise((resolve) => lock.close(resolve));
    }
  };

  const listReports = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.endsWith(reportSuffix)).sort();

  async function sendAll(sendReport: (body: Buffer) => Promise<SendResult>): Promise<boolean> {
    for (const name of await listReports()) {
      const file = join(folder, name);
      const outcome = await sendReport(await readFile(file));
      if (outcome === 'later') return false;
      // Kept for diagnosis.
      if (outcome === 'rejected') await rename(file, `${file}.refused`);
      else await unlink(file);
    }
    return true;
  }

  return {
    withLock,
    async put(report) {
      const order = `${String(Date.now()).padStart(14, '0')}-${randomBytes(6).toString('hex')}`;
      const draft = join(folder, `${order}.draft`);
      const file = await open(draft, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(report));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, join(folder, `${order}${reportSuffix}`));
    },
    async send(sendReport) {
      for (;;) {
        const outcome = await withLock('sending', () => sendAll(sendReport));
        if (outcome === 'taken') return true;
        // Another process may have left us a report just before the lock was released.
        if (!outcome || (await listReports()).length === 0) return outcome;
      }
    },
  };
}
