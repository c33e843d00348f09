// Keeps the process small. V8 would keep the memory that startup leaves behind (sources of two thousand modules, the parsed
// site file, compiled statements) until it has to collect, which an idle server postpones for a long time. See
// docs/decisions/performance.md.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns that memory to the system: one full garbage collection frees about a tenth of the process's memory. */
export function releaseMemory(): void {
  // The flag makes `gc` available to new contexts; only the context below gets it.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}

/**
 * Makes the rest of the process collect garbage early. A command that reads and compares a large site leaves several times as
 * much garbage as it has data. It then needs half the memory, for a twentieth more CPU time.
 */
export function collectEarly(): void {
  for (const flag of ['--heap-growing-percent=10', '--semi-space-growth-factor=1', '--no-parallel-scavenge'])
    setFlagsFromString(flag);
}
