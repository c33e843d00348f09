// A durable workflow: named steps in order, each with a `do` and an `undo`. A step may run again after a crash, so both must
// recognize their earlier work: name whatever they create after the workflow's own id, never after a saved output alone.
import type { ErrorCode } from '#contract/errors.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/account-id.ts';

export type Write = (queries: Queries) => Promise<void>;

export interface Done<Output> {
  readonly kind: 'done';
  readonly output: Output;
  /** Runs in the transaction that records the step as done. */
  readonly write: Write | undefined;
}
export interface Wait {
  readonly kind: 'wait';
  readonly milliseconds: number;
  readonly detail: string;
}
export interface Failure {
  readonly kind: 'failed';
  readonly code: ErrorCode;
  readonly reason: string;
  readonly detail: string;
}
/** The result of a step that does not wait. */
export type Settled<Output> = Done<Output> | Failure;
export type StepResult<Output> = Settled<Output> | Wait;

export function done(): Done<undefined>;
export function done<Output>(output: Output, write?: Write): Done<Output>;
export function done(output?: unknown, write?: Write): Done<unknown> {
  return { kind: 'done', output, write };
}
/** Runs the same step again after a while. Operators read the detail. */
export function wait(milliseconds: number, detail = ''): Wait {
  return { kind: 'wait', milliseconds, detail };
}
/** Rolls everything back, this step included. Customers read the reason, operators also the detail. */
export function failed(code: ErrorCode, reason: string, detail = ''): Failure {
  return { kind: 'failed', code, reason, detail };
}

/** How long a step may wait in all, and the failure that ends it then. */
export interface WaitLimit<Input> extends Pick<Failure, 'code' | 'reason'> {
  readonly ms: number | ((input: Input) => number);
}

export interface StepContext<Deps> {
  readonly deps: Deps;
  /** The workflow's id. */
  readonly workflow: string;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly now: number;
  /** When this step was first tried, so that it can time out. */
  readonly since: number;
  /** Read it again for each command, see `JobAttempt`. */
  readonly signal: AbortSignal;
}

type Do<Deps, Input, Saved, Result> = (context: StepContext<Deps>, input: Input, saved: Saved) => Promise<Result>;

/** A step that never waits, or one that says how long at most: no workflow waits forever. */
export type Step<Deps, Input, Saved, Output> = Undoable<Deps, Input, Saved, Output> &
  (
    | { readonly do: Do<Deps, Input, Saved, Settled<Output>>; readonly limit?: never }
    | { readonly do: Do<Deps, Input, Saved, StepResult<Output>>; readonly limit: WaitLimit<Input> }
  );

interface Undoable<Deps, Input, Saved, Output> {
  /** A cancellation aborts the signal of `do` instead of waiting for its end. */
  readonly isInterruptible?: true;
  /** `nothing` means that `do` has no lasting effect. `own` is undefined if the step's result was lost. An undo that keeps
   * waiting is given up after `undoLimitMs` (engine/runner.ts). */
  readonly undo:
    | 'nothing'
    | ((
        context: StepContext<Deps>,
        input: Input,
        saved: Partial<Saved> & { own: Output | undefined },
      ) => Promise<StepResult<undefined>>);
}

export type AnyStep<Deps> = Step<Deps, never, never, unknown>;

export type Ending<Input, Saved> = {
  readonly workflow: string;
  readonly account: AccountId;
  readonly service: number | undefined;
  readonly input: Input;
  readonly reason: string;
  readonly detail: string;
} & (
  | { readonly outcome: 'Completed'; readonly saved: Saved }
  | { readonly outcome: 'Failed' | 'Cancelled'; readonly saved: Partial<Saved> }
);

/** `name` makes this more than a callback type, whose `deps` the compiler would compare covariantly: a workflow with fewer
 * dependencies could then not be listed with the others. */
export interface EndHandler<Deps, Input, Saved, Result = void> {
  (queries: Queries, ending: Ending<Input, Saved>, deps: Deps): Promise<Result>;
  readonly name: string;
}

/** What follows the commit in this process, such as telling others. A crash may prevent it. */
export type AfterCommit = void | (() => void);

export interface Workflow<Deps, Input, Saved = object> {
  readonly name: string;
  /** Incremented when the steps change in a way that a running workflow would notice. The old definition stays registered
   * until no workflow uses it: each ends under the version that it started with. */
  readonly version: number;
  readonly steps: readonly { readonly name: string; readonly step: AnyStep<Deps> }[];
  readonly rollbackHandler: EndHandler<Deps, never, never> | undefined;
  readonly endHandler: EndHandler<Deps, never, never, AfterCommit> | undefined;
  step<const Name extends string, Output>(
    name: Name,
    step: Step<Deps, Input, Saved, Output>,
  ): Workflow<Deps, Input, Saved & { readonly [K in Name]: Output }>;
  /** Runs in the transaction that starts the rollback, for what has to stop at once. */
  onRollback(write: EndHandler<Deps, Input, Saved>): Workflow<Deps, Input, Saved>;
  /** Runs in the transaction that ends the workflow, whatever the outcome: events, locks. */
  onEnd(write: EndHandler<Deps, Input, Saved, AfterCommit>): Workflow<Deps, Input, Saved>;
}

export function workflow<Deps, Input extends object>(name: string, version: number): Workflow<Deps, Input> {
  return build<Deps, Input, object>({ name, version, steps: [], rollbackHandler: undefined, endHandler: undefined });
}

type Parts<Deps> = Pick<Workflow<Deps, never>, 'name' | 'version' | 'steps' | 'rollbackHandler' | 'endHandler'>;

/** The runner reads input and saved outputs from the database, so a definition forgets their types here. */
function build<Deps, Input, Saved>(parts: Parts<Deps>): Workflow<Deps, Input, Saved> {
  const untyped = <Result>(handler: EndHandler<Deps, Input, Saved, Result>) =>
    handler as unknown as EndHandler<Deps, never, never, Result>;
  return {
    ...parts,
    step(name, step) {
      if (parts.steps.some((earlier) => earlier.name === name))
        throw new Error(`${parts.name} has two steps named ${name}`);
      return build({ ...parts, steps: [...parts.steps, { name, step: step as unknown as AnyStep<Deps> }] });
    },
    onRollback: (write) => build({ ...parts, rollbackHandler: untyped(write) }),
    onEnd: (write) => build({ ...parts, endHandler: untyped(write) }),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of workflows has no common input or outputs
export type AnyWorkflow<Deps> = Workflow<Deps, any, any>;
