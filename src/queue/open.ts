// Opens the queue that fits the database. pg-boss is loaded only when used, to keep small installations small.
import { embeddedQueue } from './embedded.ts';
import type { QueueParts, Queue } from './queue.ts';

/** `database` is the PostgreSQL URL, or undefined on SQLite. */
export async function openQueue(parts: QueueParts, database: string | undefined): Promise<Queue> {
  if (database === undefined) return embeddedQueue(parts);
  const { pgBossQueue } = await import('./pg-boss.ts');
  return pgBossQueue(parts, database);
}
