// A durable workflow: named steps in order, each with a `do` and an `undo`. What a step answers is one of three things and
// nothing else. A step may be run again after a crash, so both `do` and `undo` must find what they did before: ids and names
// of what they make come from the workflow's own id, never from a saved output alone.
import type { ErrorCode } from '#contract/errors.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';

export type Write = (queries: Queries) => Promise<void>;

export type StepResult<Output> =
  /** `write` goes into the transaction that records the step as done. */
  | { readonly kind: 'done'; readonly output: Output; readonly write: Write | undefined }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly reason: string };

export function done(): StepResult<undefined>;
export function done<Output>(output: Output, write?: Write): StepResult<Output>;
export function done(output?: unknown, write?: Write): StepResult<unknown> {
  return { kind: 'done', output, write };
}
/** Not there yet: the same step is run again after a while. */
export function wait(milliseconds: number): StepResult<never> {
  return { kind: 'wait', milliseconds };
}
/** It cannot be done: everything is undone, this step included. The reason is one that a customer understands. */
export function failed(code: ErrorCode, reason: string): StepResult<never> {
  return { kind: 'failed', code, reason };
}

export interface StepContext<Deps> {
  readonly deps: Deps;
  /** The workflow's id: what a step makes is named after it. */
  readonly workflow: string;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly now: number;
  /** When this step was first tried, so that it can give up in time. */
  readonly since: number;
  readonly signal: AbortSignal;
}

export interface Step<Deps, Input, Saved, Output> {
  readonly do: (context: StepContext<Deps>, input: Input, saved: Saved) => Promise<StepResult<Output>>;
  /** `nothing` says that `do` leaves nothing behind. `own` is undefined where the step's result was lost. */
  readonly undo:
    | 'nothing'
    | ((
        context: StepContext<Deps>,
        input: Input,
        saved: Partial<Saved> & { own: Output | undefined },
      ) => Promise<StepResult<undefined>>);
}

export type AnyStep<Deps> = Step<Deps, never, never, unknown>;

export interface Ending {
  readonly workflow: string;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly input: unknown;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly outcome: 'Completed' | 'Failed' | 'Cancelled';
  readonly reason: string;
}

/** Every function has a name. That it is said here keeps the compiler from treating this as a callback, whose `deps` it would
 * compare the other way round: a workflow that works with less could not stand in a list with others. */
export interface Ended<Deps> {
  (queries: Queries, ending: Ending, deps: Deps): Promise<void>;
  readonly name: string;
}

export interface Workflow<Deps, Input, Saved = object> {
  readonly name: string;
  /** Raised when steps change in a way that a workflow under way would notice. The old definition stays registered beside
   * the new one until nothing runs under it: a workflow ends under the version that it began with. */
  readonly version: number;
  readonly steps: readonly { readonly name: string; readonly step: AnyStep<Deps> }[];
  /** Written in the transaction that turns it back, with the end that it is to have: what has to stop at once. */
  readonly turned: Ended<Deps> | undefined;
  /** Written in the transaction of the end, whatever the end is: events, unlocking. */
  readonly ended: Ended<Deps> | undefined;
  step<const Name extends string, Output>(
    name: Name,
    step: Step<Deps, Input, Saved, Output>,
  ): Workflow<Deps, Input, Saved & { readonly [K in Name]: Output }>;
  whenTurned(write: Ended<Deps>): Workflow<Deps, Input, Saved>;
  whenEnded(write: Ended<Deps>): Workflow<Deps, Input, Saved>;
}

export function workflow<Deps, Input extends object>(name: string, version: number): Workflow<Deps, Input> {
  return build<Deps, Input, object>({ name, version, steps: [], turned: undefined, ended: undefined });
}

type Parts<Deps> = Pick<Workflow<Deps, never>, 'name' | 'version' | 'steps' | 'turned' | 'ended'>;

function build<Deps, Input, Saved>(parts: Parts<Deps>): Workflow<Deps, Input, Saved> {
  return {
    ...parts,
    step(name, step) {
      if (parts.steps.some((before) => before.name === name))
        throw new Error(`${parts.name} has two steps named ${name}`);
      return build({ ...parts, steps: [...parts.steps, { name, step: step as unknown as AnyStep<Deps> }] });
    },
    whenTurned: (turned) => build({ ...parts, turned }),
    whenEnded: (ended) => build({ ...parts, ended }),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of workflows forgets what each one takes
export type AnyWorkflow<Deps> = Workflow<Deps, any, any>;
