// Random bytes in small portions. One request to the system for many portions costs as much as for one.

import { randomFillSync } from 'node:crypto';

const poolBytes = 4_096;
const pool = Buffer.alloc(poolBytes);
let used = poolBytes;

/** Fresh random bytes, written into the place given. */
export function fillRandom(into: Buffer): void {
  if (used + into.length > poolBytes) {
    randomFillSync(pool);
    used = 0;
  }
  pool.copy(into, 0, used, used + into.length);
  // No portion is ever given twice, nor left behind for a reader of memory.
  pool.fill(0, used, used + into.length);
  used += into.length;
}

export function randomBuffer(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  fillRandom(bytes);
  return bytes;
}
