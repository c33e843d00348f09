// Queries on pg-boss's table for what pg-boss does not offer: locking a fence in our own transaction, claims that keep
// the order within a key, and immediate retries of the jobs of dead instances, without the delay of a failure. An
// attempt is identified by the job's id and retry_count, as in pg-boss itself.
import { sql } from 'kysely';
import type { Queries } from '../store.ts';

export interface BossClaim {
  readonly id: string;
  readonly data: object;
  readonly retryCount: number;
}
export type BossAttempt = Pick<BossClaim, 'id' | 'retryCount'>;

/** Returns those of the queues that have a job that is due. */
export async function bossJobsDue(queries: Queries, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
select name from unnest(${names}::text[]) as wanted (name) where exists (
  select 1 from pgboss.job where job.name = wanted.name and state < 'active' and not blocked and start_after <= now())
`.execute(queries);
  return rows.map((row) => row.name);
}

/** How many of the oldest jobs are searched for different keys. */
const window = 200;

/**
 * Claims at most one job per key, the oldest that is due, and none whose key has a running job. Only one claim per
 * queue runs at a time in the cluster: an instance that skipped rows locked by another would take a later job of the
 * same key.
 */
export async function bossJobsClaimByKey(queries: Queries, name: string, limit: number): Promise<BossClaim[]> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hostyard job ${name}`}, 0))`.execute(queries);
  const { rows } = await sql<BossClaim>`
with oldest as (
  select id, singleton_key, created_on from pgboss.job as queued
  where name = ${name} and state < 'active' and not blocked and start_after <= now() and not exists (
    select 1 from pgboss.job as running where running.name = queued.name and running.state = 'active'
      and running.policy = 'singleton' and coalesce(running.singleton_key, '') = coalesce(queued.singleton_key, ''))
  order by priority desc, created_on, id limit ${window} for update of queued skip locked
), first as (
  select distinct on (singleton_key) id, created_on from oldest order by singleton_key, created_on, id
)
update pgboss.job set state = 'active', started_on = now(), heartbeat_on = now(),
  retry_count = case when started_on is null then retry_count else retry_count + 1 end
where name = ${name} and id in (select id from first order by created_on, id limit ${limit})
returning id, data, retry_count as "retryCount"`.execute(queries);
  return rows;
}

/** Returns those of the keys that have a queued or running job. */
export async function bossKeysAlive(queries: Queries, name: string, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
select singleton_key as key from pgboss.job
where name = ${name} and state <= 'active' and singleton_key = any(${keys}::text[])`.execute(queries);
  return rows.map((row) => row.key);
}

/** Returns true if the attempt still holds its job, and keeps it until the transaction ends. */
export async function bossJobLock(queries: Queries, name: string, attempt: BossAttempt): Promise<boolean> {
  const { rows } = await sql`
select 1 from pgboss.job
where name = ${name} and id = ${attempt.id} and retry_count = ${attempt.retryCount} and state = 'active'
for update`.execute(queries);
  return rows.length > 0;
}

/** Returns the job to the queue as if it had not been claimed: the attempt does not count. */
export async function bossJobRelease(queries: Queries, name: string, attempt: BossAttempt): Promise<void> {
  await sql`
update pgboss.job set state = 'retry', start_after = now(), heartbeat_on = null, retry_limit = retry_limit + 1
where name = ${name} and id = ${attempt.id} and retry_count = ${attempt.retryCount} and state = 'active'`.execute(
    queries,
  );
}

/** Requeues jobs of instances that have not sent a heartbeat for this long, and returns their queues. */
export async function bossJobsTakeOver(
  queries: Queries,
  names: readonly string[],
  silentSeconds: number,
  error: string,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
update pgboss.job set start_after = now(), heartbeat_on = null, output = jsonb_build_object('message', ${error}::text),
  state = (case when retry_count < retry_limit then 'retry' else 'failed' end)::pgboss.job_state,
  completed_on = case when retry_count < retry_limit then null else now() end
where name = any(${names}::text[]) and state = 'active' and heartbeat_on < now() - make_interval(secs => ${silentSeconds})
returning name`.execute(queries);
  return rows.map((row) => row.name);
}

export interface BossFailedJob {
  readonly id: string;
  readonly name: string;
  readonly data: object;
  readonly retryCount: number;
  readonly error: string | null;
  readonly failedAt: number;
}
/** By id, which is in the order in which they were enqueued. */
export async function bossJobsFailed(queries: Queries, limit: number, after: string): Promise<BossFailedJob[]> {
  const { rows } = await sql<BossFailedJob>`
select id, name, data, retry_count as "retryCount", coalesce(output ->> 'message', output #>> '{value,message}') as error,
  floor(extract(epoch from completed_on) * 1000) as "failedAt"
from pgboss.job where state = 'failed' and id::text collate "C" > ${after}
order by id::text collate "C" limit ${limit}`.execute(queries);
  return rows;
}

/** Restarts a failed job with all its retries, and returns its queue. */
export async function bossJobRetry(queries: Queries, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
update pgboss.job set state = 'retry', start_after = now(), completed_on = null,
  retry_limit = job.retry_count + 1 + queue.retry_limit
from pgboss.queue where queue.name = job.name and job.id::text = ${id} and job.state = 'failed'
returning job.name`.execute(queries);
  return rows[0]?.name;
}

export interface BossCount {
  readonly name: string;
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
}
/** Without pg-boss's internal queues. */
export async function bossJobsCount(queries: Queries): Promise<BossCount[]> {
  const { rows } = await sql<BossCount>`
select name, count(*) filter (where state < 'active') as queued, count(*) filter (where state = 'active') as running,
  count(*) filter (where state = 'failed') as failed
from pgboss.job where not starts_with(name, '__pgboss') group by name`.execute(queries);
  return rows;
}
