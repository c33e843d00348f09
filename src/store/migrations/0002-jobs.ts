// Durable jobs on SQLite. On PostgreSQL, pg-boss creates its own tables in its own schema.
import type { Migration } from './migration.ts';

export const jobs: Migration = {
  name: '0002-jobs',
  statements: ({ id, integer }, engine) =>
    engine === 'postgres'
      ? []
      : [
          `create table jobs (
  id ${id}, kind text not null, key text, payload text not null,
  state text not null check (state in ('queued', 'running', 'failed')), run_at ${integer} not null,
  attempt ${integer} not null, failures ${integer} not null,
  claimed_by text, heartbeat_at ${integer}, error text, failed_at ${integer})`,
          "create index jobs_queued on jobs (kind, run_at, id) where state = 'queued'",
          "create index jobs_queued_of_key on jobs (kind, key, id) where state = 'queued' and key is not null",
          "create unique index jobs_one_running_of_key on jobs (kind, key) where state = 'running' and key is not null",
          "create index jobs_running on jobs (kind, heartbeat_at) where state = 'running'",
          "create index jobs_failed on jobs (failed_at) where state = 'failed'",
        ],
};
