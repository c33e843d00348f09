// What an engine is to the runner: a book of jobs that hands them out and takes back what became of them.
import type { Queries } from '#store/store.ts';
import type { JobKind } from './jobs.ts';

export interface Claim {
  readonly id: string;
  readonly kind: string;
  readonly attempt: number;
  readonly payload: object;
}

/** What became of an attempt. Released: the process stops, and the job is to run as if it had not been taken. */
export interface Outcome {
  readonly claim: Claim;
  readonly how: 'done' | 'failed' | 'released';
  readonly error?: unknown;
}

export interface Ledger {
  /**
   * Settles first, since what ended may make way for a job with the same key; then hands out as many jobs as there are
   * places. An attempt that is lost is passed over.
   */
  turn(kind: JobKind<object>, ended: readonly Outcome[], places: number): Promise<Claim[]>;
  /** Of these kinds, those with a job that is due. */
  due(kinds: readonly string[]): Promise<string[]>;
  /** Whether this attempt holds its job; if so it keeps it until the transaction ends. */
  hold(queries: Queries, claim: Claim): Promise<boolean>;
  /** The same, and the job is done. */
  finish(queries: Queries, claim: Claim): Promise<boolean>;
  /** Tells that these are alive, and answers those that are lost. Jobs of processes that went silent are queued again. */
  beat(claims: readonly Claim[], kinds: readonly JobKind<object>[]): Promise<Claim[]>;
}

const longestError = 2000;

export function errorText(error: unknown): string {
  return String(error).slice(0, longestError);
}
