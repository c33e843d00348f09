// Collects all garbage of this thread. Plain JavaScript, so that the watchdog's thread has no types to strip.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

export function collectGarbage() {
  // The flag makes `gc` available to new contexts; only the context below gets it, unless another thread has just reset the flag.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc');
  collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
