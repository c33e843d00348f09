// Keeps the process small. V8 would keep the memory that startup leaves behind (sources of two thousand modules, the parsed
// site file, compiled statements) until it has to collect, which an idle server postpones for a long time. See
// docs/decisions/performance.md.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.js';

/** Whoever waits for the end of the start gets a response first. */
const afterStartMs = 1000;
/** Code that is compiled later is cached apart, because the cache depends on V8's flags; see scripts/install.ts. */
export const laterFlag = '--heap-growing-percent=40';

/**
 * Returns that memory to the system soon after the start of this thread: each has its own heap. A full garbage collection frees about
 * a tenth of the process's memory, and blocks the thread meanwhile. From then on, V8 collects when the heap has grown by two fifths. It
 * would otherwise let a small heap grow to four times its size, which polls of thousands of devices do within minutes, and keep what
 * that took.
 */
export function releaseMemoryLater(): void {
  setTimeout(releaseMemory, afterStartMs).unref();
}

function releaseMemory(): void {
  collectGarbage();
  setFlagsFromString(laterFlag);
  // The threads share the memory outside of their heaps.
  if (isMainThread) void trimMalloc();
}

/** Returns the pages that are free between blocks in use; by itself, malloc returns only those at its end. */
async function trimMalloc(): Promise<void> {
  try {
    const { default: koffi } = await import('koffi');
    koffi.load(null).func('int malloc_trim(size_t keptBytes)')(0);
  } catch {
    // Only glibc has this function.
  }
}

/**
 * Makes the rest of the process collect garbage early. A command that reads and compares a large site leaves several times as
 * much garbage as it has data. It then needs half the memory, for a twentieth more CPU time.
 */
export function collectEarly(): void {
  for (const flag of ['--heap-growing-percent=10', '--semi-space-growth-factor=1', '--no-parallel-scavenge'])
    setFlagsFromString(flag);
}
