// Returns the memory that startup leaves behind (sources of two thousand modules, the parsed site file, compiled statements) to the
// system. V8 would keep it until it has to collect, which an idle server postpones for a long time. See
// docs/decisions/performance.md.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs one full garbage collection, which frees about a tenth of the process's memory. */
export function releaseMemory(): void {
  // The flag makes `gc` available to new contexts; only the context below gets it.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}
