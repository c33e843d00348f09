// The storage of jobs as the runner sees it: hands out jobs and takes back their outcomes.
import type { Queries } from '#store/store.ts';
import type { JobKind } from './queue.ts';

export interface Claim {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly payload: object;
}

/** How an attempt ended. Released: the process is stopping, and the job must run as if it had not been claimed. */
export interface Outcome {
  readonly claim: Claim;
  readonly how: 'done' | 'failed' | 'released';
  readonly error?: unknown;
}

export interface QueueBackend {
  /** After this long without a heartbeat, other instances take a job over. */
  readonly leaseMs: number;
  /**
   * Settles first, because a finished job may unblock another with the same key; then claims as many jobs as there are
   * free slots. Attempts that lost their job are skipped.
   */
  settleAndClaim(kind: JobKind<object>, ended: readonly Outcome[], slots: number): Promise<Claim[]>;
  /** Returns those of the kinds that have a job that is due. */
  due(kinds: readonly string[]): Promise<string[]>;
  /** Returns true if this attempt holds its job, and keeps it until the transaction ends. */
  hold(queries: Queries, claim: Claim): Promise<boolean>;
  /** Like `hold`, and completes the job. */
  finish(queries: Queries, claim: Claim): Promise<boolean>;
  /** Sends a heartbeat for these claims, and returns those that are lost. Requeues the jobs of dead processes. */
  beat(claims: readonly Claim[], kinds: readonly JobKind<object>[]): Promise<Claim[]>;
}

const maxErrorLength = 2000;

export function errorText(error: unknown): string {
  return String(error).slice(0, maxErrorLength);
}
