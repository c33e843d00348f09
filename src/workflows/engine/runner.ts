// Runs workflows as jobs: an attempt runs a workflow until it has to wait. Every transition is written in a
// transaction fenced by the job's attempt, so that a slow runner cannot overwrite the work of its successor.
import { errorKinds } from '#contract/errors.ts';
import { operatorMessage } from '#lib/api-error.ts';
import type { Clock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import { randomBase32 } from '#lib/random.ts';
import { JobLost, type JobAttempt, type JobKind, type Queue } from '#queue/queue.ts';
import { createFeed } from '#store/feed.ts';
import type { Queries, Store } from '#store/store.ts';
import * as store from '#store/work/workflows.ts';
import type { Boundaries } from './boundaries.ts';
import {
  done,
  failed,
  type AnyStep,
  type AnyWorkflow,
  type Failure,
  type StepResult,
  type Workflow,
} from './workflow.ts';
import type { AccountId } from '#store/account-id.ts';

export const workflowJob: JobKind<{ id: string }> = {
  name: 'workflow',
  deadlineSeconds: 600,
  // The workflow itself gives up on a step that keeps throwing (maxTries), not the queue.
  retries: 1000,
  firstRetrySeconds: 1,
  maxRetrySeconds: 60,
  concurrency: 50,
  key: ({ id }) => id,
};
const maxTries = 8;
const cancelled = failed('cancelled', 'Cancelled');
/** Why a step fails that waits without a declared limit. The types prevent it. */
export const undeclaredWait = 'The step waits without a limit.';
/** How long an undo may wait for its device. The rest is left after that, and the log says so. */
export const undoLimitMs = 7 * 86_400_000;
const stuckRetryMs = 60_000;
const maxDetailLength = 500;
const unknownVersionRetryMs = 5000;

export interface Start<Input> {
  readonly account: AccountId;
  readonly service: number | undefined;
  /** The API operation, as in the audit log. */
  readonly operation: string;
  readonly input: Input;
}

/** Starts a workflow in the caller's transaction. Returns its id; ids sort by start time. */
export async function startWorkflow<Deps, Input extends object>(
  parts: { readonly queue: Queue; readonly clock: Clock },
  queries: Queries,
  workflow: Workflow<Deps, Input, never>,
  start: Start<Input>,
): Promise<string> {
  const record = newRecord(parts.clock.now(), workflow, start);
  await store.workflowsInsert(queries, [record]);
  await parts.queue.enqueue(queries, workflowJob, { id: record.id });
  return record.id;
}

/** Starts many workflows in the caller's transaction. */
export async function startWorkflows<Deps, Input extends object>(
  parts: { readonly queue: Queue; readonly clock: Clock },
  queries: Queries,
  workflow: Workflow<Deps, Input, never>,
  starts: readonly Start<Input>[],
): Promise<void> {
  const records = starts.map((start) => newRecord(parts.clock.now(), workflow, start));
  await store.workflowsInsert(queries, records);
  await parts.queue.enqueueAll(
    queries,
    workflowJob,
    records.map(({ id }) => ({ id })),
  );
}

function newRecord<Deps, Input extends object>(
  now: number,
  workflow: Workflow<Deps, Input, never>,
  start: Start<Input>,
): store.WorkflowRecord {
  return {
    id: `${now.toString(36).padStart(9, '0')}${randomBase32(50)}`,
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
    tries: store.notStarted,
    progress: 0,
    input: store.workflowInput.encode(start.input),
    outputs: '{}',
    error_code: null,
    error_reason: null,
    detail: '',
    cancel_requested: 0,
    created_at: now,
    ended_at: null,
    revision: 0,
  };
}

type Interrupt = (parts: Pick<RunnerParts<unknown>, 'queue'>, queries: Queries, id: string) => Promise<boolean>;

/** Requests something of a workflow that may be waiting, and runs it at once. */
function interruptBy(request: (queries: Queries, id: string) => Promise<boolean>): Interrupt {
  return async ({ queue }, queries, id) => {
    const isRunning = await request(queries, id);
    if (isRunning) await queue.enqueue(queries, workflowJob, { id });
    return isRunning;
  };
}

/** Requests a rollback in the caller's transaction. Returns false if there is nothing to cancel. */
export const cancelWorkflow = interruptBy(store.workflowRequestCancel);

/** Ends a workflow that does not finish its rollback: the rest is not undone. */
export const abandonWorkflow = interruptBy(store.workflowAbandon);

/** Retries the current step with all its tries, in the caller's transaction. Returns false if the workflow has ended. */
export const retryWorkflow = interruptBy(store.workflowResetTries);

export interface RunnerParts<Deps> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly queue: Pick<Queue, 'enqueue'>;
  readonly deps: Deps;
  readonly workflows: readonly AnyWorkflow<Deps>[];
}

export async function runWorkflow<Deps>(
  parts: RunnerParts<Deps>,
  job: JobAttempt<{ id: string }>,
  boundaries: Boundaries,
): Promise<void> {
  for (;;) {
    const stored = await store.workflowLoad(parts.store.queries, job.payload.id);
    if (stored === undefined || stored.ended_at !== null) return;
    const record = { ...stored, step_since: parts.clock.startOf?.(stored.step_since) ?? stored.step_since };
    const definition = parts.workflows.find(({ name, version }) => name === record.name && version === record.version);
    if (definition === undefined) return leaveToOtherInstance(parts, job, record);
    if ((await advance({ ...parts, definition, record, job, boundaries })) === 'paused') return;
  }
}

/** A workflow at one step. */
interface Run<Deps> extends RunnerParts<Deps> {
  readonly definition: AnyWorkflow<Deps>;
  readonly record: store.WorkflowRecord;
  readonly job: JobAttempt<{ id: string }>;
  readonly boundaries: Boundaries;
}

/** Runs one step forward or back. */
async function advance<Deps>(run: Run<Deps>): Promise<'advanced' | 'paused'> {
  const { clock, queue, definition, record, job, boundaries } = run;
  const { id } = record;
  const now = clock.now();
  const isForward = record.direction === 'forward';
  if (isForward && record.cancel_requested > 0) {
    const position = Math.min(record.position, definition.steps.length - 1);
    const isStarted = record.tries !== store.notStarted;
    return rollBack({ ...run, record: { ...record, position: isStarted ? position : record.position - 1 } }, cancelled);
  }
  const isAbandoned = !isForward && record.cancel_requested === store.cancelAndAbandon;
  const current = isAbandoned ? undefined : definition.steps[record.position];
  if (current === undefined) {
    let ended: Awaited<ReturnType<typeof end>>;
    await job.complete(async (queries) => {
      ended = await end(run, queries);
      if (ended === undefined) await queue.enqueue(queries, workflowJob, { id });
    });
    ended?.();
    return 'paused';
  }
  if (record.tries >= maxTries) {
    if (isForward) return rollBack(run, failed('internal_error', 'All retries failed.', record.detail));
    const reason = `undo of ${current.name} keeps failing`;
    return now - record.step_since >= undoLimitMs ? giveUp(run, reason) : markStuck(run, reason);
  }
  const result = await attempt(run, current, now);
  switch (result.kind) {
    case 'done':
      await job.publish((queries) => recordDone(run, queries, current.name, result));
      await boundaries.saved(isForward ? 'do' : 'undo', current.name);
      return 'advanced';
    case 'wait': {
      const limitMs = isForward ? limitOf(run, current.step) : undoLimitMs;
      // By the time that the step saw, so that it has the last word when the limit is reached.
      if (now - record.step_since >= limitMs) {
        if (!isForward) return giveUp(run, `undo of ${current.name} did not finish`);
        const { code, reason } = current.step.limit ?? { code: 'internal_error', reason: undeclaredWait };
        return rollBack(run, failed(code, reason, result.detail));
      }
      await job.complete(async (queries) => {
        if (record.status === 'Stuck') await store.workflowAdvance(queries, id, { status: 'Running' });
        await store.workflowCountTries(queries, id, 0);
        await recordDetail(run, queries, result.detail);
        const runAt = Math.min(clock.now() + result.milliseconds, record.step_since + limitMs);
        await queue.enqueue(queries, workflowJob, { id }, { runAt });
      });
      return 'paused';
    }
    case 'failed':
      if (isForward) return rollBack(run, result);
      throw new Error(`undo of ${current.name} failed: ${result.reason}`);
  }
}

function limitOf<Deps>({ record }: Run<Deps>, { limit }: AnyStep<Deps>): number {
  const ms = limit?.ms ?? 0;
  return typeof ms === 'number' ? ms : ms(store.workflowInput.decode(record.input) as never);
}

/** Ends a rollback that cannot be finished: waiting longer would only hold up others. */
async function giveUp<Deps>({ log, record, job }: Run<Deps>, reason: string): Promise<'advanced'> {
  await job.publish((queries) => store.workflowAbandon(queries, record.id));
  log.error({ workflow: record.id, reason }, 'workflow ends without a rollback');
  return 'advanced';
}

/** Counts the try before running the step, so that a step that kills its process is not retried forever. */
async function attempt<Deps>(
  run: Run<Deps>,
  { name, step }: { readonly name: string; readonly step: AnyStep<Deps> },
  now: number,
): Promise<StepResult<unknown>> {
  const { deps, log, record, job, boundaries } = run;
  const direction = record.direction === 'forward' ? 'do' : 'undo';
  await job.publish(async (queries) => {
    const tries = Math.max(0, record.tries) + 1;
    if (record.status === 'Queued') await store.workflowAdvance(queries, record.id, { status: 'Running', tries });
    else await store.workflowCountTries(queries, record.id, tries);
  });
  // Another instance may have the job by now.
  job.signal.throwIfAborted();
  const injected = await boundaries.before(direction, name);
  if (injected !== undefined) return injected;
  const { input, saved, ...base } = storedState(record);
  using interruption = direction === 'do' && step.isInterruptible === true ? abortOnCancel(run) : undefined;
  const context = {
    ...base,
    deps,
    now,
    since: record.step_since,
    get signal() {
      return interruption === undefined ? job.signal : AbortSignal.any([job.signal, interruption.signal]);
    },
  };
  let result: StepResult<unknown>;
  try {
    if (direction === 'do') result = await step.do(context, input, saved);
    else if (step.undo === 'nothing') result = done();
    else result = await step.undo(context, input, { ...(saved as object), own: saved[name] } as never);
  } catch (error) {
    if (interruption?.signal.aborted === true && !job.signal.aborted) return cancelled;
    if (!(error instanceof JobLost)) {
      log.warn({ err: error, workflow: record.id, step: name }, 'a workflow step threw; retrying');
      await job.publish((queries) => recordDetail(run, queries, operatorMessage(error))).catch(() => {});
    }
    throw error;
  }
  return (await boundaries.after(direction, name)) ?? result;
}

/** Aborts its signal when the workflow is cancelled, on any instance. */
function abortOnCancel<Deps>({ store: database, log, record }: Run<Deps>): Disposable & { signal: AbortSignal } {
  const controller = new AbortController();
  const feed = createFeed({ store: database, log }, store.workflowsCancelled);
  feed.listen(record.id, () => controller.abort(new Error('the workflow was cancelled')));
  return { signal: controller.signal, [Symbol.dispose]: () => feed.close() };
}

/** Once per message, not once per attempt. During a rollback, the message of the failure stays. */
async function recordDetail<Deps>({ log, record }: Run<Deps>, queries: Queries, message: string): Promise<void> {
  const detail = shorten(message);
  if (detail === record.detail || (record.direction === 'back' && record.detail !== '')) return;
  await store.workflowDetailSet(queries, record.id, detail);
  if (detail !== '') log.warn({ ...logFields(record), detail }, 'a workflow step is waiting for its equipment');
}

function logFields({ id, name, service_id, step }: store.WorkflowRecord): object {
  return { workflow: id, name, service: service_id, step };
}

/** Equipment writes parts of messages, and PostgreSQL cannot store NUL. */
function shorten(message: string): string {
  return message.slice(0, maxDetailLength).replaceAll('\0', '');
}

async function recordDone<Deps>(
  { clock, definition, record }: Run<Deps>,
  queries: Queries,
  name: string,
  result: Extract<StepResult<unknown>, { kind: 'done' }>,
): Promise<void> {
  const isForward = record.direction === 'forward';
  const position = record.position + (isForward ? 1 : -1);
  const outputs = store.workflowOutputs.decode(record.outputs);
  if (isForward) outputs[name] = result.output;
  else delete outputs[name];
  await result.write?.(queries);
  await store.workflowAdvance(queries, record.id, {
    status: 'Running',
    position,
    step: definition.steps[position]?.name ?? '',
    step_since: clock.now(),
    tries: store.notStarted,
    outputs: store.workflowOutputs.encode(outputs),
    ...(isForward ? { detail: '', progress: Math.floor((100 * position) / definition.steps.length) } : {}),
  });
}

/** Undoes the failing step too: it may have taken effect although its result was lost. */
async function rollBack<Deps>(
  { clock, deps, definition, log, record, job }: Run<Deps>,
  { code, reason, detail }: Failure,
): Promise<'advanced'> {
  const error = { error_code: code, error_reason: reason || errorKinds[code].message, detail: shorten(detail) };
  if (code !== 'cancelled') log.warn({ ...logFields(record), code, detail }, 'a workflow step failed; rolling back');
  await job.publish(async (queries) => {
    const change = { direction: 'back', position: record.position, step_since: clock.now(), tries: 0 } as const;
    await store.workflowAdvance(queries, record.id, { ...change, ...error });
    const outcome = rollbackOutcome(error);
    const ending = { ...storedState(record), outcome, reason: error.error_reason, detail: error.detail };
    await definition.rollbackHandler?.(queries, ending, deps);
  });
  return 'advanced';
}

function rollbackOutcome({ error_code: code }: Pick<store.WorkflowRecord, 'error_code'>): 'Cancelled' | 'Failed' {
  return code === 'cancelled' ? 'Cancelled' : 'Failed';
}

/** Returns what follows the commit, or undefined if a cancellation came first. */
async function end<Deps>(
  { clock, deps, definition, record }: Run<Deps>,
  queries: Queries,
): Promise<(() => void) | undefined> {
  const outcome = record.direction === 'forward' ? ('Completed' as const) : rollbackOutcome(record);
  if (!(await store.workflowEnd(queries, record.id, { status: outcome, at: clock.now() }))) return undefined;
  const ending = { ...storedState(record), outcome, reason: record.error_reason ?? '', detail: record.detail };
  const afterCommit = await definition.endHandler?.(queries, ending, deps);
  return afterCommit ?? (() => {});
}

/** Input and outputs have the types of the definition that wrote them. */
function storedState(record: store.WorkflowRecord) {
  return {
    workflow: record.id,
    account: record.account_id,
    service: record.service_id ?? undefined,
    input: store.workflowInput.decode(record.input) as never,
    saved: store.workflowOutputs.decode(record.outputs) as never,
  };
}

/** Alerts the operator and keeps retrying once a minute: a workflow ends done or undone, never in between. */
async function markStuck<Deps>({ clock, log, queue, record, job }: Run<Deps>, reason: string): Promise<'paused'> {
  const { id } = record;
  await job.complete(async (queries) => {
    await store.workflowAdvance(queries, id, { status: 'Stuck', tries: maxTries - 1 });
    await queue.enqueue(queries, workflowJob, { id }, { runAt: clock.now() + stuckRetryMs });
  });
  log.error({ workflow: id, reason }, 'workflow is stuck');
  return 'paused';
}

/** Leaves a workflow of another version, as during an upgrade, to an instance that has its definition. */
async function leaveToOtherInstance<Deps>(
  { clock, log, queue }: RunnerParts<Deps>,
  job: JobAttempt<{ id: string }>,
  { id, name, version, status }: store.WorkflowRecord,
): Promise<void> {
  await job.complete(async (queries) => {
    if (status !== 'Stuck') await store.workflowAdvance(queries, id, { status: 'Stuck' });
    await queue.enqueue(queries, workflowJob, { id }, { runAt: clock.now() + unknownVersionRetryMs });
  });
  log.warn({ workflow: id, name, version }, 'this instance does not have the version of a workflow');
}
