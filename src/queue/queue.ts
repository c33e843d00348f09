// Durable jobs: work that must happen once its request is committed, even if this process dies. One interface with two
// implementations: `embedded` (a table, for SQLite) and `pg-boss` (PostgreSQL, several instances), with one conformance
// suite for both. Glossary. Kind: a type of work, with its rules. Job: one piece of work. Attempt: one try at a job,
// counted from 1. Fence: an attempt that has lost its job (it was too slow, or its process was presumed dead) can no
// longer write anything.
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Queries, Store } from '#store/store.ts';

export interface JobKind<Payload extends object> {
  readonly name: string;
  /** An attempt that takes longer loses its job, which is then retried. At most a day. */
  readonly deadlineSeconds: number;
  /**
   * Retries after the first failure; then the job stays failed for an operator. An attempt whose process died counts
   * as failed, because the job may have killed it, and is retried immediately.
   */
  readonly retries: number;
  /** The delay before the first retry. It doubles from then on, with jitter, up to the longest. Whole seconds. */
  readonly firstRetrySeconds: number;
  readonly maxRetrySeconds: number;
  /** How many run at once on one instance. */
  readonly concurrency: number;
  /** Jobs with the same key run one at a time in the whole cluster. */
  readonly key?: (payload: Payload) => string;
}

export interface JobAttempt<Payload extends object> {
  readonly id: string;
  readonly attempt: number;
  readonly payload: Payload;
  /**
   * Aborted when the deadline passes, the job is lost or may soon be, because no heartbeat reaches the database, or the process
   * stops. Read it again before each command to equipment: after a pause of the process, only that notices in time.
   */
  readonly signal: AbortSignal;
  /** Runs a transaction that is rolled back with JobLost if this attempt no longer holds the job. */
  publish<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /**
   * Like `publish`, and completes the job. If a handler returns without calling this, its job is completed then.
   */
  complete<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export class JobLost extends Error {
  constructor() {
    super('this attempt no longer holds its job');
    this.name = 'JobLost';
  }
}

/** A handler that throws fails its attempt. */
export type JobHandler<Payload extends object> = (job: JobAttempt<Payload>) => Promise<void>;

export interface JobWorker<Payload extends object = object> {
  readonly kind: JobKind<Payload>;
  readonly handle: JobHandler<Payload>;
}

/** Hides the payload's type, so that workers of all kinds fit into one list. */
export function jobWorker<Payload extends object>(kind: JobKind<Payload>, handle: JobHandler<Payload>): JobWorker {
  return { kind, handle } as unknown as JobWorker;
}

export interface FailedJob {
  readonly id: string;
  readonly kind: string;
  readonly payload: object;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: number;
}

/** The page that has them all. */
export const allFailed = { limit: 1_000_000, after: '0' };

export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
}

export interface Queue {
  /**
   * Enqueues in the caller's transaction: the job exists exactly if that commits. `runAt` in milliseconds; immediately
   * if omitted.
   */
  enqueue<Payload extends object>(
    queries: Queries,
    kind: JobKind<Payload>,
    payload: Payload,
    when?: { readonly runAt: number },
  ): Promise<string>;
  /** Enqueues several jobs of a kind, as `enqueue` does for one. */
  enqueueAll<Payload extends object>(
    queries: Queries,
    kind: JobKind<Payload>,
    payloads: readonly Payload[],
  ): Promise<void>;
  /** Starts processing. Kinds without a worker here are left to other instances. */
  start(workers: readonly JobWorker[]): Promise<void>;
  /** Stops claiming jobs, and gives running ones some time to end. Jobs can still be enqueued. */
  drain(): Promise<void>;
  /**
   * Stops claiming jobs, lets running ones end for a while, and aborts the rest, which run again elsewhere or later.
   */
  stop(): Promise<void>;
  /** Returns those of the keys that have a queued or running job. */
  keysAlive(kind: JobKind<never>, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** For operators: failed jobs in the order in which they were enqueued, after the one with this id. */
  failed(page?: { readonly limit: number; readonly after: string }): Promise<FailedJob[]>;
  retry(id: string): Promise<boolean>;
  /** Per kind, for metrics. */
  counts(): Promise<ReadonlyMap<string, JobCounts>>;
}

/** Dependencies of a queue. */
export interface QueueParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this process among those on one database. */
  readonly instanceId: string;
}
