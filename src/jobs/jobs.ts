// Durable work: what must happen once its request is committed, even if this process dies. One interface, two engines:
// `embedded` (a table, in the process, for SQLite) and `pg-boss` (PostgreSQL, many nodes); one conformance suite for both.
//
// Glossary. Kind: what sort of work, with its rules. Job: one piece of it. Attempt: one try at a job, counted from 1.
// Fence: an attempt that has lost its job (it was too slow, or its process was thought dead) can write nothing any more.
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Queries, Store } from '#store/store.ts';

export interface JobKind<Payload extends object> {
  readonly name: string;
  /** An attempt that takes longer loses its job, which is then tried again. A day at most. */
  readonly deadlineSeconds: number;
  /**
   * Tries after the first that failed; then the job stays, failed, for the operator to see. An attempt whose process died
   * counts as failed, since the job may be what killed it; it is tried again at once.
   */
  readonly retries: number;
  /** The wait before the first retry; it doubles from then on, with jitter, up to the longest. Whole seconds. */
  readonly firstRetrySeconds: number;
  readonly longestRetrySeconds: number;
  /** At once on one node. */
  readonly concurrency: number;
  /** Jobs with the same key run one at a time in the whole cluster. */
  readonly key?: (payload: Payload) => string;
}

export interface JobAttempt<Payload extends object> {
  readonly id: string;
  readonly attempt: number;
  readonly payload: Payload;
  /** Aborted when the deadline passes, the job is lost, or the process stops. */
  readonly signal: AbortSignal;
  /** A transaction that is rolled back, with JobLost, where this attempt no longer holds the job. */
  publish<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
  /** The same, and the job is done with it. A handler that returns without calling this has its job marked done then. */
  complete<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

export class JobLost extends Error {
  constructor() {
    super('this attempt no longer holds its job');
    this.name = 'JobLost';
  }
}

/** A handler that throws has failed its attempt. */
export type JobHandler<Payload extends object> = (job: JobAttempt<Payload>) => Promise<void>;

export interface JobWorker<Payload extends object = object> {
  readonly kind: JobKind<Payload>;
  readonly handle: JobHandler<Payload>;
}

/** Keeps the payload's type to itself, so that workers of all kinds go into one list. */
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

export interface JobCounts {
  readonly queued: number;
  readonly running: number;
  readonly failed: number;
}

export interface Jobs {
  /** In the caller's transaction: the job exists exactly if that commits. `runAt` in milliseconds; left out: at once. */
  enqueue<Payload extends object>(
    queries: Queries,
    kind: JobKind<Payload>,
    payload: Payload,
    when?: { readonly runAt: number },
  ): Promise<string>;
  /** Begins to work. Kinds without a worker here are left to other nodes. */
  start(workers: readonly JobWorker[]): Promise<void>;
  /** Takes no more jobs, lets those under way end for a while, aborts the rest: they run again elsewhere or later. */
  stop(): Promise<void>;
  /** Of these keys, those for which a job is queued or running. */
  keysAlive(kind: JobKind<never>, keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** For the operator. */
  failed(): Promise<FailedJob[]>;
  retry(id: string): Promise<boolean>;
  /** Per kind, for the metrics. */
  counts(): Promise<ReadonlyMap<string, JobCounts>>;
}

/** What an engine is made of. */
export interface JobParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** This process among those on one database. */
  readonly node: string;
}
