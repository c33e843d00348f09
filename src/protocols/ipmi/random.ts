// Random bytes in small portions. One request to the system for many portions costs as much as for one.
import { randomFillSync } from 'node:crypto';

const poolBytes = 4_096;
const pool = Buffer.alloc(poolBytes);
let usedBytes = poolBytes;

export function fillRandom(into: Buffer): void {
  if (usedBytes + into.length > poolBytes) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  pool.copy(into, 0, usedBytes, usedBytes + into.length);
  // No byte is usedBytes twice, and no copy of a secret stays in the pool.
  pool.fill(0, usedBytes, usedBytes + into.length);
  usedBytes += into.length;
}

export function randomBuffer(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  fillRandom(bytes);
  return bytes;
}
