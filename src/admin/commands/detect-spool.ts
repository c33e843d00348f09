// Reports that wait to be sent, one file each in a folder, sent in the order in which they were made. One process sends at a
// time: a turn is a name of the kernel's, which goes with its holder however that ends.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, realpath, rename, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';

export type Sent =
  | 'recorded'
  /** It will never be taken. */
  | 'refused'
  /** Not now. */
  | 'later';

export interface Spool {
  put(report: object): Promise<void>;
  /** Sends what waits. True where nothing is left, or another process is at it. */
  send(work: (body: Buffer) => Promise<Sent>): Promise<boolean>;
  /** Runs the work unless another process holds the turn of that name. */
  inTurn(name: string, work: () => Promise<boolean>): Promise<boolean | 'taken'>;
}

const ending = '.json';

export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 32);

  const inTurn: Spool['inTurn'] = async (name, work) => {
    const turn = createServer();
    const isMine = await new Promise<boolean>((resolve) => {
      turn.once('error', () => resolve(false));
      turn.listen(`\0hostyard-detect-${place}-${name}`, () => resolve(true));
    });
    if (!isMine) return 'taken';
    try {
      return await work();
    } finally {
      await new Promise((resolve) => turn.close(resolve));
    }
  };

  const waiting = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith(ending)).sort();

  async function sendAll(work: (body: Buffer) => Promise<Sent>): Promise<boolean> {
    for (const name of await waiting()) {
      const file = join(folder, name);
      const outcome = await work(await readFile(file));
      if (outcome === 'later') return false;
      // Kept for whoever wants to know why.
      if (outcome === 'refused') await rename(file, `${file}.refused`);
      else await unlink(file);
    }
    return true;
  }

  return {
    inTurn,
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
      await rename(draft, join(folder, `${order}${ending}`));
    },
    async send(work) {
      for (;;) {
        const outcome = await inTurn('sending', () => sendAll(work));
        if (outcome === 'taken') return true;
        // What came just before the turn was given back was left to us.
        if (!outcome || (await waiting()).length === 0) return outcome;
      }
    },
  };
}
