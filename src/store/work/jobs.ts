// Jobs of the embedded queue. Statements that run for every job are compiled once.
import { sql, type Selectable, type Updateable } from 'kysely';
import { Type } from 'typebox';
import { prepared, preparedRows, runInBatches } from '../engine/prepared.ts';
import { deleteWhere, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { JobTable } from './tables.ts';

export const jobPayload = jsonColumn('jobs.payload', Type.Object({}));

export type JobRow = Selectable<JobTable>;
export type NewJob = Pick<JobRow, 'kind' | 'key' | 'payload' | 'run_at'>;
export type ClaimedJob = Pick<JobRow, 'id' | 'kind' | 'payload' | 'attempt'>;
/** One attempt at a job; statements for an attempt that is over change nothing. */
export type HeldJob = Pick<JobRow, 'id' | 'attempt'>;

const insert = preparedRows((queries, jobs: readonly NewJob[]) =>
  queries
    .insertInto('jobs')
    .values(jobs.map((job) => ({ ...job, state: 'queued' as const, attempt: 0, failures: 0 })))
    .returning('id'),
);
export async function jobsInsert(queries: Queries, jobs: readonly NewJob[]): Promise<number[]> {
  const rows = await runInBatches(insert, queries, jobs, (job) => job);
  return rows.map(({ id }) => id);
}

const due = prepared((queries, values: { kind: string; now: number }) =>
  queries
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', values.kind)
    .where('state', '=', sql.lit('queued'))
    .where('run_at', '<=', values.now)
    .limit(1),
);
export async function jobsDue(queries: Queries, kind: string, now: number): Promise<boolean> {
  return (await due(queries, { kind, now })).length > 0;
}

const claim = prepared((queries, values: { kind: string; node: string; now: number; limit: number }) => ({
  compile: () =>
    sql<ClaimedJob>`
update jobs set state = 'running', attempt = attempt + 1, claimed_by = ${values.node}, heartbeat_at = ${values.now}
where id in (
  select id from jobs as next where kind = ${values.kind} and state = 'queued' and run_at <= ${values.now}
    and (key is null or (
      not exists (select 1 from jobs as running
        where running.kind = next.kind and running.key = next.key and running.state = 'running')
      and not exists (select 1 from jobs as earlier
        where earlier.kind = next.kind and earlier.key = next.key and earlier.state = 'queued'
          and earlier.run_at <= ${values.now} and earlier.id < next.id)))
  order by run_at, id limit ${values.limit})
returning id, kind, payload, attempt`.compile(queries),
}));
/** Claims at most one job per key, the oldest that is due, and none whose key has a running job. */
export async function jobsClaim(
  queries: Queries,
  kind: string,
  node: string,
  now: number,
  limit: number,
): Promise<ClaimedJob[]> {
  const rows = await claim(queries, { kind, node, now, limit });
  return rows.sort((a, b) => a.id - b.id);
}

const held = prepared((queries, values: HeldJob) =>
  selectWhere(queries, 'jobs', { id: values.id, attempt: values.attempt, state: 'running' }).select('id'),
);
export async function jobIsHeld(queries: Queries, job: HeldJob): Promise<boolean> {
  return (await held(queries, job)).length > 0;
}

/** Returns those of the keys that have a queued or running job. */
export async function jobKeysAlive(queries: Queries, kind: string, keys: readonly string[]): Promise<string[]> {
  if (keys.length === 0) return [];
  // Each state has its own index.
  const ofState = (state: 'queued' | 'running') =>
    selectWhere(queries, 'jobs', { kind }).select('key').where('key', 'in', keys).where('state', '=', sql.lit(state));
  const rows = await ofState('queued').unionAll(ofState('running')).execute();
  return rows.map((row) => row.key!);
}

const remove = prepared((queries, values: HeldJob) =>
  deleteWhere(queries, 'jobs', { id: values.id, attempt: values.attempt })
    // A literal, as in `invoicesOpen`.
    .where('state', '=', sql.lit('running'))
    .returning('id'),
);
export async function jobRemove(queries: Queries, job: HeldJob): Promise<boolean> {
  return (await remove(queries, job)).length > 0;
}

/** Returns the job to the queue as if it had not been claimed. */
export async function jobRelease(queries: Queries, job: HeldJob, now: number): Promise<void> {
  await updateWhere(queries, 'jobs', { id: job.id, attempt: job.attempt, state: 'running' })
    .set({ state: 'queued', run_at: now, claimed_by: null, heartbeat_at: null })
    .execute();
}

export interface JobFailure {
  readonly error: string;
  readonly at: number;
  /** The number of failures after which the job is not retried. */
  readonly allowed: number;
  /** Returns when to retry, given the number of failures. */
  readonly runAt: (failures: number) => number;
}
export async function jobFail(queries: Queries, job: HeldJob, failure: JobFailure): Promise<void> {
  const row = await updateWhere(queries, 'jobs', { id: job.id, attempt: job.attempt, state: 'running' })
    .set((set) => ({
      state: 'queued',
      failures: set('failures', '+', 1),
      error: failure.error,
      claimed_by: null,
      heartbeat_at: null,
    }))
    .returning('failures')
    .executeTakeFirst();
  if (row === undefined) return;
  const next: Updateable<JobTable> =
    row.failures > failure.allowed
      ? { state: 'failed', failed_at: failure.at }
      : { run_at: failure.runAt(row.failures) };
  await queries.updateTable('jobs').set(next).where('id', '=', job.id).execute();
}

/** Returns the jobs that this instance still holds. */
export async function jobsBeat(queries: Queries, node: string, now: number): Promise<HeldJob[]> {
  return queries
    .updateTable('jobs')
    .set({ heartbeat_at: now })
    .where('state', '=', sql.lit('running'))
    .where('claimed_by', '=', node)
    .returning(['id', 'attempt'])
    .execute();
}

/** Returns running jobs whose instance has not sent a heartbeat since this time. */
export async function jobsSilent(
  queries: Queries,
  kinds: readonly string[],
  since: number,
): Promise<(HeldJob & Pick<JobRow, 'kind'>)[]> {
  return queries
    .selectFrom('jobs')
    .select(['id', 'attempt', 'kind'])
    .where('state', '=', sql.lit('running'))
    .where('kind', 'in', kinds)
    .where('heartbeat_at', '<', since)
    .execute();
}

/** By id, which is in the order in which they were enqueued. */
export async function jobsFailed(queries: Queries, limit: number, after: number): Promise<JobRow[]> {
  const failed = selectWhere(queries, 'jobs', { state: 'failed' }).selectAll().where('id', '>', after);
  return failed.orderBy('id').limit(limit).execute();
}

/** Restarts a failed job, and returns its kind. */
export async function jobRetry(queries: Queries, id: number, now: number): Promise<string | undefined> {
  const row = await updateWhere(queries, 'jobs', { id, state: 'failed' })
    .set({ state: 'queued', failures: 0, run_at: now, failed_at: null })
    .returning('kind')
    .executeTakeFirst();
  return row?.kind;
}

export async function jobsCount(queries: Queries): Promise<(Pick<JobRow, 'kind' | 'state'> & { count: number })[]> {
  return queries
    .selectFrom('jobs')
    .select(['kind', 'state', (select) => select.fn.countAll<number>().as('count')])
    .groupBy(['kind', 'state'])
    .execute();
}
