// Jobs of pg-boss in the form of the table `jobs` on SQLite, and back. pg-boss counts retries and raises the limit for
// attempts that do not count; the table counts attempts and failures.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';
import type { Row } from './tables.ts';

export const bossJobColumns: readonly string[] = [
  'kind',
  'key',
  'payload',
  'state',
  'run_at',
  'attempt',
  'failures',
  'error',
  'failed_at',
];
export const bossJobNumbers: readonly string[] = ['run_at', 'attempt', 'failures', 'failed_at'];

/** Jobs that are queued, running or failed, in their order. */
export const bossJobRows = `
select job.name as kind, singleton_key as key, data::text as payload,
  case when state = 'active' then 'running' when state = 'failed' then 'failed' else 'queued' end as state,
  floor(extract(epoch from start_after) * 1000)::text as run_at, attempt::text,
  greatest(0, attempt - (state = 'active')::int - (job.retry_limit - queue.retry_limit))::text as failures,
  coalesce(output ->> 'message', output #>> '{value,message}') as error,
  case when state = 'failed' then floor(extract(epoch from completed_on) * 1000)::text end as failed_at
from pgboss.job join pgboss.queue on queue.name = job.name,
  lateral (select case when started_on is null then 0 else retry_count + 1 end as attempt) as counted
where state in ('created', 'retry', 'active', 'failed') and not starts_with(job.name, '__pgboss')
order by job.created_on, job.id`;

/** The queues must exist. Jobs without one are left out, which the comparison afterwards finds. */
export async function insertBossJobs(
  queries: Queries,
  names: readonly string[],
  rows: readonly Row[],
  before: number,
): Promise<void> {
  const jobs = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, jsonValue(row[index])])));
  await sql`
insert into pgboss.job (name, data, singleton_key, state, start_after, created_on, started_on, completed_on, heartbeat_on,
  output, retry_count, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
  keep_until, policy, heartbeat_seconds)
select kind, payload::jsonb, key,
  (case state when 'running' then 'active' when 'failed' then 'failed' else case attempt when 0 then 'created' else 'retry' end end)::pgboss.job_state,
  epoch + run_at * ms, now() + (${before} + place) * interval '1 microsecond',
  case when attempt > 0 then now() end, epoch + failed_at * ms, case state when 'running' then epoch end,
  case when error is not null then jsonb_build_object('message', error) end,
  greatest(0, attempt - 1), queue.retry_limit + attempt - failures - (state = 'running')::int,
  retry_delay, retry_backoff, retry_delay_max, expire_seconds, deletion_seconds,
  greatest(now(), epoch + run_at * ms) + retention_seconds * interval '1 second', policy, heartbeat_seconds
from rows from (jsonb_to_recordset(${JSON.stringify(jobs)}::jsonb) as (kind text, key text, payload text, state text,
  run_at bigint, attempt int, failures int, error text, failed_at bigint)) with ordinality
  as job (kind, key, payload, state, run_at, attempt, failures, error, failed_at, place)
join pgboss.queue on queue.name = kind,
  (values (timestamptz 'epoch', interval '1 millisecond')) as units (epoch, ms)`.execute(queries);
}

function jsonValue(cell: Row[number] | undefined): unknown {
  return typeof cell === 'bigint' ? Number(cell) : cell;
}
