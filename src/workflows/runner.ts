// Runs workflows as jobs: one attempt takes a workflow as far as it goes without waiting. Every move is written in a
// transaction that is fenced by the job's attempt, so that a runner that was only slow cannot write over its successor.
import { errorKinds, type ErrorCode } from '#contract/errors.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { randomBase32 } from '#kernel/random.ts';
import { JobLost, jobWorker, type JobAttempt, type JobKind, type Jobs, type JobWorker } from '#jobs/jobs.ts';
import type { Queries, Store } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import * as store from '#store/work/workflows.ts';
import type { WorkflowRecord } from '#store/work/workflows.ts';
import type { AnyStep, AnyWorkflow, Ending, StepContext, StepResult, Workflow } from './workflow.ts';

export const workflowJob: JobKind<{ id: string }> = {
  name: 'workflow',
  deadlineSeconds: 600,
  // A step that keeps throwing is given up by the workflow itself (longestTries), not by the queue.
  retries: 1000,
  firstRetrySeconds: 1,
  longestRetrySeconds: 60,
  concurrency: 50,
  key: ({ id }) => id,
};
const longestTries = 8;
const stuckRetryMs = 60_000;
const elsewhereMs = 5000;

export interface Start<Input> {
  readonly account: AccountId;
  readonly service: number | undefined;
  /** What the caller asked for, as the audit log names it. */
  readonly operation: string;
  readonly input: Input;
}

/** In the caller's transaction. Answers the workflow's id, which sorts by the time of its start. */
export async function startWorkflow<Deps, Input extends object>(
  parts: { readonly jobs: Jobs; readonly clock: Clock },
  queries: Queries,
  workflow: Workflow<Deps, Input, never>,
  start: Start<Input>,
): Promise<string> {
  const now = parts.clock.now();
  const id = `${now.toString(36).padStart(9, '0')}${randomBase32(50)}`;
  await store.workflowInsert(queries, {
    id,
    account_id: start.account,
    service_id: start.service ?? null,
    name: workflow.name,
    version: workflow.version,
    operation: start.operation,
    status: 'Queued',
    direction: 'forward',
    position: 0,
    step: workflow.steps[0]?.name ?? '',
    step_since: now,
    tries: 0,
    progress: 0,
    input: JSON.stringify(start.input),
    outputs: '{}',
    error_code: null,
    error_reason: null,
    cancel_requested: 0,
    created_at: now,
    ended_at: null,
    revision: 0,
  });
  await parts.jobs.enqueue(queries, workflowJob, { id });
  return id;
}

/** In the caller's transaction. True where there was something to cancel: it is undone, also if it is waiting just now. */
export async function cancelWorkflow(
  parts: { readonly jobs: Pick<Jobs, 'enqueue'> },
  queries: Queries,
  id: string,
): Promise<boolean> {
  const requested = await store.workflowRequestCancel(queries, id);
  if (requested) await parts.jobs.enqueue(queries, workflowJob, { id });
  return requested;
}

/** In the caller's transaction. False where it has ended: the step under way is tried at once, and as often as a new one. */
export async function retryWorkflow(
  parts: { readonly jobs: Pick<Jobs, 'enqueue'> },
  queries: Queries,
  id: string,
): Promise<boolean> {
  const goesOn = await store.workflowForgetTries(queries, id);
  if (goesOn) await parts.jobs.enqueue(queries, workflowJob, { id });
  return goesOn;
}

export interface RunnerParts<Deps> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'enqueue'>;
  readonly deps: Deps;
  readonly workflows: readonly AnyWorkflow<Deps>[];
}

/** Where the harness stands: between the moments at which a process can die or a step can fail. An answer given at a
 * boundary takes the place of the step's own. */
export interface Boundaries {
  before(direction: 'do' | 'undo', step: string): Promise<StepResult<never> | undefined>;
  after(direction: 'do' | 'undo', step: string): Promise<StepResult<never> | undefined>;
  saved(direction: 'do' | 'undo', step: string): Promise<undefined>;
}
const noBoundaries: Boundaries = {
  before: async () => undefined,
  after: async () => undefined,
  saved: async () => undefined,
};

export function workflowWorker<Deps>(parts: RunnerParts<Deps>): JobWorker {
  return jobWorker(workflowJob, (job) => runWorkflow(parts, job, noBoundaries));
}

export async function runWorkflow<Deps>(
  parts: RunnerParts<Deps>,
  job: JobAttempt<{ id: string }>,
  boundaries: Boundaries,
): Promise<void> {
  for (;;) {
    const record = await store.workflowLoad(parts.store.queries, job.payload.id);
    if (record === undefined || record.ended_at !== null) return;
    const definition = parts.workflows.find(({ name, version }) => name === record.name && version === record.version);
    if (definition === undefined) {
      await job.complete((queries) => leave(parts, queries, record));
      return;
    }
    const goesOn = await move(parts, definition, record, job, boundaries);
    if (goesOn === 'over') return;
  }
}

/** One step forward or back. */
async function move<Deps>(
  parts: RunnerParts<Deps>,
  definition: AnyWorkflow<Deps>,
  record: WorkflowRecord,
  job: JobAttempt<{ id: string }>,
  boundaries: Boundaries,
): Promise<'on' | 'over'> {
  const { clock } = parts;
  const forward = record.direction === 'forward';
  if (forward && record.cancel_requested === 1) {
    const position = Math.min(record.position, definition.steps.length - 1);
    await job.publish((queries) =>
      turnBack(parts, queries, definition, { ...record, position }, 'cancelled', 'Cancelled'),
    );
    return 'on';
  }
  const current = definition.steps[record.position];
  if (current === undefined) {
    const outcome = forward ? 'Completed' : outcomeBack(record);
    await job.complete(async (queries) => {
      if (await end(parts, queries, definition, record, outcome)) return;
      await parts.jobs.enqueue(queries, workflowJob, { id: record.id });
    });
    return 'over';
  }
  const direction = forward ? 'do' : 'undo';
  if (record.tries >= longestTries) {
    const reason = 'It failed again and again.';
    if (forward) await job.publish((queries) => turnBack(parts, queries, definition, record, 'internal_error', reason));
    else await job.complete((queries) => stuck(parts, queries, record, `undo of ${current.name} does not succeed`));
    return forward ? 'on' : 'over';
  }
  const result = await attempt(parts, current, record, job, boundaries);
  switch (result.kind) {
    case 'done':
      await job.publish((queries) => advance(queries, definition, record, current.name, result, clock.now()));
      await boundaries.saved(direction, current.name);
      return 'on';
    case 'wait':
      await job.complete(async (queries) => {
        if (record.status === 'Stuck') await store.workflowAdvance(queries, record.id, { status: 'Running' });
        await store.workflowCountTries(queries, record.id, 0);
        await parts.jobs.enqueue(queries, workflowJob, { id: record.id }, { runAt: clock.now() + result.milliseconds });
      });
      return 'over';
    case 'failed':
      if (forward) {
        await job.publish((queries) => turnBack(parts, queries, definition, record, result.code, result.reason));
        return 'on';
      }
      throw new Error(`undo of ${current.name} failed: ${result.reason}`);
  }
}

/** Counted before it is tried, so that a step that kills its process is not tried for ever. */
async function attempt<Deps>(
  parts: RunnerParts<Deps>,
  current: { readonly name: string; readonly step: AnyStep<Deps> },
  record: WorkflowRecord,
  job: JobAttempt<{ id: string }>,
  boundaries: Boundaries,
): Promise<StepResult<unknown>> {
  const direction = record.direction === 'forward' ? 'do' : 'undo';
  await job.publish(async (queries) => {
    const tries = record.tries + 1;
    if (record.status === 'Queued') await store.workflowAdvance(queries, record.id, { status: 'Running', tries });
    else await store.workflowCountTries(queries, record.id, tries);
  });
  const instead = await boundaries.before(direction, current.name);
  if (instead !== undefined) return instead;
  const context: StepContext<Deps> = {
    deps: parts.deps,
    workflow: record.id,
    account: record.account_id,
    service: record.service_id ?? undefined,
    now: parts.clock.now(),
    since: record.step_since,
    signal: job.signal,
  };
  const input = JSON.parse(record.input) as never;
  const outputs = JSON.parse(record.outputs) as Record<string, unknown>;
  const { step } = current;
  let result: StepResult<unknown>;
  try {
    if (direction === 'do') result = await step.do(context, input, outputs as never);
    else if (step.undo === 'nothing') result = { kind: 'done', output: undefined, write: undefined };
    else result = await step.undo(context, input, { ...outputs, own: outputs[current.name] } as never);
  } catch (error) {
    if (!(error instanceof JobLost))
      parts.log.warn({ err: error, workflow: record.id, step: current.name }, 'step threw; it is tried again');
    throw error;
  }
  return (await boundaries.after(direction, current.name)) ?? result;
}

async function advance<Deps>(
  queries: Queries,
  definition: AnyWorkflow<Deps>,
  record: WorkflowRecord,
  name: string,
  result: Extract<StepResult<unknown>, { kind: 'done' }>,
  now: number,
): Promise<void> {
  const forward = record.direction === 'forward';
  const position = record.position + (forward ? 1 : -1);
  const outputs = JSON.parse(record.outputs) as Record<string, unknown>;
  if (forward) outputs[name] = result.output;
  else delete outputs[name];
  await result.write?.(queries);
  await store.workflowAdvance(queries, record.id, {
    status: 'Running',
    position,
    step: definition.steps[position]?.name ?? '',
    step_since: now,
    tries: 0,
    outputs: JSON.stringify(outputs),
    ...(forward ? { progress: Math.floor((100 * position) / definition.steps.length) } : {}),
  });
}

/** The failing step is undone too: its effect may be there although its result is not. */
async function turnBack<Deps>(
  { clock, deps }: RunnerParts<Deps>,
  queries: Queries,
  definition: AnyWorkflow<Deps>,
  record: WorkflowRecord,
  code: ErrorCode,
  reason: string,
): Promise<void> {
  const turned = { ...record, error_code: code, error_reason: reason || errorKinds[code].message };
  await store.workflowAdvance(queries, record.id, {
    direction: 'back',
    position: record.position,
    error_code: code,
    error_reason: turned.error_reason,
    step_since: clock.now(),
    tries: 0,
  });
  await definition.turned?.(queries, endingOf(turned, outcomeBack(turned)), deps);
}

function outcomeBack({ error_code: code }: WorkflowRecord): Ending['outcome'] {
  return code === 'cancelled' ? 'Cancelled' : 'Failed';
}

async function end<Deps>(
  { clock, deps }: RunnerParts<Deps>,
  queries: Queries,
  definition: AnyWorkflow<Deps>,
  record: WorkflowRecord,
  outcome: Ending['outcome'],
): Promise<boolean> {
  if (!(await store.workflowEnd(queries, record.id, { status: outcome, at: clock.now() }))) return false;
  await definition.ended?.(queries, endingOf(record, outcome), deps);
  return true;
}

function endingOf(record: WorkflowRecord, outcome: Ending['outcome']): Ending {
  return {
    workflow: record.id,
    account: record.account_id,
    service: record.service_id ?? undefined,
    input: JSON.parse(record.input) as unknown,
    outputs: JSON.parse(record.outputs) as Record<string, unknown>,
    outcome,
    reason: record.error_reason ?? '',
  };
}

/** Shown to the operator, and tried again all the same, once a minute: a workflow ends done or undone, never in between. */
async function stuck<Deps>(
  parts: RunnerParts<Deps>,
  queries: Queries,
  record: WorkflowRecord,
  reason: string,
): Promise<void> {
  await store.workflowAdvance(queries, record.id, { status: 'Stuck', tries: longestTries - 1 });
  await parts.jobs.enqueue(queries, workflowJob, { id: record.id }, { runAt: parts.clock.now() + stuckRetryMs });
  parts.log.error({ workflow: record.id, reason }, 'workflow is stuck');
}

/** Begun under a version that this node does not have, as during an upgrade: left as it is, for a node that has it. */
async function leave<Deps>(parts: RunnerParts<Deps>, queries: Queries, record: WorkflowRecord): Promise<void> {
  const { id, name, version } = record;
  if (record.status !== 'Stuck') await store.workflowAdvance(queries, id, { status: 'Stuck' });
  await parts.jobs.enqueue(queries, workflowJob, { id }, { runAt: parts.clock.now() + elsewhereMs });
  parts.log.warn({ workflow: id, name, version }, 'workflow is of a version that this node does not have');
}
