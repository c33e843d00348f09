// A consistent copy of a SQLite file while others write to it: VACUUM INTO reads one snapshot and keeps nobody waiting.
// (SQLite's step-by-step backup begins again with every commit of another connection, under load without end.) It runs in a
// thread of its own, since it takes as long as the file is large.
import { Worker } from 'node:worker_threads';
import type { InspectedFile } from './sqlite-inspect.ts';

export async function sqliteCopy(from: string, to: string): Promise<InspectedFile> {
  const worker = new Worker(new URL('./sqlite-copy-worker.ts', import.meta.url), { workerData: { from, to } });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the copying thread ended without a word')));
  });
}
