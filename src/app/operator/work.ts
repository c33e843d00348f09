// Background work as operators see it, and what they can do when it is stuck.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { FailedJob, Reconciler, WorkflowDetail, WorkflowListItem, workOperator } from '#contract/operator/work.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import * as store from '#store/work/workflows.ts';
import { workflows } from '#workflows/registry.ts';
import { cancelWorkflow, retryWorkflow } from '#workflows/engine/runner.ts';
import { getWorkReport, isLate } from '../health/background-work.ts';
import { actionShape } from '../operations/actions.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';
import type { AccountId } from '#store/account-id.ts';

export async function workflowList(
  { queries }: Context,
  { account, service, name, status, before, limit = pageLength }: InputOf<typeof workOperator.workflowList>,
): Promise<Static<typeof WorkflowListItem>[]> {
  const statuses = status && [status];
  const page = { account: account as AccountId | undefined, service, name, statuses, before, limit };
  return (await store.workflowSearch(queries, page)).map(workflowListItem);
}

export async function workflowGet({ queries }: Context, id: string): Promise<Static<typeof WorkflowDetail>> {
  const record = await getWorkflow(queries, id);
  return {
    ...workflowListItem(record),
    tries: String(Math.max(0, record.tries)),
    since: timeText(record.step_since),
    steps: workflowSteps(record),
  };
}

export async function workflowRetry(context: Context, id: string): Promise<void> {
  const { account_id } = await getWorkflow(context.queries, id);
  if (!(await retryWorkflow(context.app, context.queries, id))) throw conflict('The workflow has ended.');
  context.onBehalfOf(account_id);
}

export async function workflowUnwind(context: Context, id: string): Promise<void> {
  const { account_id } = await getWorkflow(context.queries, id);
  if (!(await cancelWorkflow(context.app, context.queries, id)))
    throw conflict('The workflow has ended, or is already being rolled back.');
  context.onBehalfOf(account_id);
}

export async function reconcilerList({ app }: Context): Promise<Static<typeof Reconciler>[]> {
  const now = app.clock.now();
  const { reconcilers } = await getWorkReport(app);
  return reconcilers.map((row) => {
    const isRunning = row.lease_until > now;
    const dueAt = Math.max(row.run_at, row.last_success_at ?? 0);
    return {
      name: row.name,
      state: row.last_error !== null ? 'failed' : isLate(row, now) ? 'late' : isRunning ? 'running' : 'well',
      error: row.last_error ?? '',
      succeeded: optionalTimeText(row.last_success_at),
      next: isRunning ? '' : timeText(Math.max(dueAt, now)),
      lag: isRunning || dueAt === 0 ? '0' : String(Math.max(0, Math.round((now - dueAt) / 1000))),
      duration: row.last_duration_ms === null ? '' : String(row.last_duration_ms),
      backlog: String(row.backlog),
      instance: row.holder ?? '',
    };
  });
}

export async function jobList(
  { app }: Context,
  { limit = pageLength, after = '0' }: InputOf<typeof workOperator.jobList>,
): Promise<Static<typeof FailedJob>[]> {
  const failed = await app.queue.failed({ limit, after });
  return failed.map(({ id, kind, attempts, error, failedAt }) => ({
    id,
    kind,
    attempts: String(attempts),
    error,
    failed: timeText(failedAt),
  }));
}

export async function jobRetry({ app }: Context, id: string): Promise<void> {
  if (!(await app.queue.retry(id))) throw new ApiError('not_found', { message: 'Failed job not found.' });
}

async function getWorkflow(queries: Context['queries'], id: string): Promise<store.WorkflowRecord> {
  return requireFound(await store.workflowLoad(queries, id), 'Workflow not found.');
}

function workflowListItem(record: store.WorkflowRecord): Static<typeof WorkflowListItem> {
  return {
    ...actionShape(record),
    account: String(record.account_id),
    name: record.name,
    status: record.status,
    direction: record.direction,
    detail: record.detail,
  };
}

function workflowSteps(record: store.WorkflowRecord): Static<typeof WorkflowDetail>['steps'] {
  const definition = workflows.find(({ name, version }) => name === record.name && version === record.version);
  const { direction, position, ended_at } = record;
  const state = (index: number) => {
    if (index === position && ended_at === null) return 'under way';
    if (direction === 'forward') return index < position ? 'done' : 'to come';
    return index < position ? 'done' : 'undone';
  };
  return (definition?.steps ?? []).map(({ name }, index) => ({ name, state: state(index) }));
}
