// Copies a SQLite file consistently while others write to it. VACUUM INTO reads one snapshot and blocks nobody, whereas
// SQLite's incremental backup restarts with every commit of another connection, endlessly under load. It runs in a
// worker thread, because it takes as long as the file is large.
import { Worker } from 'node:worker_threads';
import type { InspectedFile } from './sqlite-inspect.ts';

export async function sqliteCopy(from: string, to: string): Promise<InspectedFile> {
  const worker = new Worker(new URL('./sqlite-copy-worker.ts', import.meta.url), { workerData: { from, to } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the copy thread ended without a result')));
  });
}
