// A port for a program that cannot choose one itself, or that must get the same one after a restart. It is below the
// ephemeral range, because the system may give an ephemeral port to another test the moment it is free.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const lowest = 10_240;
const highest = 20_000;

/** For a program that must not wait for a free port: whatever the number, no other test has it on this address. */
export function ownLoopbackAddress(): string {
  return `127.${randomInt(64, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}`;
}

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
