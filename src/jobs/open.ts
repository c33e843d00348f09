// The engine that fits the database. pg-boss is loaded only where it is used: a small installation should stay small.
import { embeddedJobs } from './embedded.ts';
import type { JobParts, Jobs } from './jobs.ts';

/** `database` is PostgreSQL's address, undefined on SQLite. */
export async function openJobs(parts: JobParts, database: string | undefined): Promise<Jobs> {
  if (database === undefined) return embeddedJobs(parts);
  const { pgBossJobs } = await import('./pg-boss.ts');
  return pgBossJobs(parts, database);
}
