// The worker thread of sqlite-copy.ts. Checks the copy before anybody relies on it.
import { parentPort, workerData } from 'node:worker_threads';
import SQLite from 'better-sqlite3';
import { inspectSqlite } from './sqlite-inspect.ts';

const { from, to } = workerData as { from: string; to: string };
const database = new SQLite(from, { readonly: true, fileMustExist: true, timeout: 10_000 });
try {
  database.prepare('vacuum into ?').run(to);
} finally {
  database.close();
}
parentPort!.postMessage(inspectSqlite(to));
