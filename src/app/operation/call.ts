// One call that changes something: who calls, what is to be done, and how a refusal is worded.
import type { Access, Effect } from '#contract/endpoint.ts';
import type { Fault } from '#kernel/fault.ts';
import type { Caller } from '../caller.ts';
import type { Context, Yard } from '../yard.ts';

export interface Operation {
  /** Interface and name, for example `v2.contactCreate`: what the audit log calls it. */
  readonly name: string;
  readonly effect: Exclude<Effect, 'none'>;
  readonly method: string;
  readonly path: string;
  /** The checked parameters. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: string | undefined;
  readonly access: Access;
  /** It changes zones, which a name server elsewhere has to show first. */
  readonly publishes?: boolean;
}
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The body as it is sent, where it has been encoded before. */
  readonly bytes?: Buffer;
}
/** What http hands in: the work itself, and how a refusal is worded on that interface. */
export interface Work {
  /** Slow work on the parameters alone, such as hashing a password: done before any transaction is open. */
  prepare(): Promise<void>;
  run(context: Context): Promise<Answer>;
  refuse(fault: Fault): Answer;
}

export interface Call {
  readonly yard: Yard;
  readonly caller: Caller;
  readonly operation: Operation;
  readonly work: Work;
}
