// UUIDs (version 7) that sort in the order in which this process created them, because the database knows no other
// order of jobs enqueued in one transaction.
import { randomBytes } from 'node:crypto';

const countPerMs = 0x1000;
let last = 0;

export function timeOrderedId(nowMs: number): string {
  last = Math.max(last + 1, nowMs * countPerMs);
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Math.floor(last / countPerMs), 0, 6);
  bytes.writeUInt16BE(0x7000 | (last % countPerMs), 6);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
