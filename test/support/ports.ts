// A port to be given to a program that cannot choose one itself, or that is started again and has to have the same. It lies below
// those that the system hands out: one of these may be another test's the moment it is free.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 10_240;
const highest = 20_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest);
    const listener = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      listener.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    listener.close();
    await once(listener, 'close');
    return port;
  }
}
