// Ends a process whose event loop has stopped turning: it answers nobody, ignores SIGTERM and holds its leases, so a restart is
// the better outage. The watch runs in a separate thread; the service manager starts the process again.
import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { isJournal, withPriority } from '#lib/journal.ts';

/** Ten looks without a beat. The thread counts looks, not time: a suspended process stops both. */
const maxMissedBeats = 10;

/** `beatMs` is how often the event loop reports, and the thread looks. */
export function startWatchdog(beatMs = 1000): void {
  // A person who stops at a breakpoint is not a fault.
  if (debuggerUrl() !== undefined) return;
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(beats, 0, 1), beatMs).unref();
  const thread = new Worker(new URL('./watchdog-thread.js', import.meta.url), {
    workerData: { beats, beatMs, maxMissedBeats, priority: isJournal(1) ? withPriority(60, '') : '' },
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
  thread.unref();
}
