// Work in the background as the provider's staff see it, and what they can do where it does not go on by itself.
import type { Static } from 'typebox';
import type { FailedJob, WorkflowDetail, WorkflowListItem } from '#contract/operator/work.ts';
import { Fault } from '#kernel/fault.ts';
import { momentText } from '#kernel/moments.ts';
import * as store from '#store/work/workflows.ts';
import type { WorkflowRecord, WorkflowStatus } from '#store/work/workflows.ts';
import type { AccountId } from '#store/tables.ts';
import { workflows } from '#workflows/registry.ts';
import { cancelWorkflow, retryWorkflow } from '#workflows/runner.ts';
import { actionShown } from '../actions.ts';
import type { Context } from '../yard.ts';
import { pageLength } from './accounts.ts';

export interface WorkFilter {
  readonly account?: number;
  readonly service?: number;
  readonly name?: string;
  readonly status?: WorkflowStatus;
  readonly limit?: number;
  readonly before?: string;
}

export async function workflowList(
  { queries }: Context,
  filter: WorkFilter,
): Promise<Static<typeof WorkflowListItem>[]> {
  const { account, service, name, status, before, limit = pageLength } = filter;
  const statuses = status && [status];
  const page = { account: account as AccountId | undefined, service, name, statuses, before, limit };
  return (await store.workflowSearch(queries, page)).map(listed);
}

export async function workflowGet({ queries }: Context, id: string): Promise<Static<typeof WorkflowDetail>> {
  const record = await found(queries, id);
  return {
    ...listed(record),
    tries: String(record.tries),
    since: momentText(record.step_since),
    steps: stepsOf(record),
  };
}

export async function workflowRetry(context: Context, id: string): Promise<void> {
  const { account_id } = await found(context.queries, id);
  if (!(await retryWorkflow(context.yard, context.queries, id)))
    throw new Fault('state_conflict', { message: 'It has ended.' });
  context.actFor(account_id);
}

export async function workflowUnwind(context: Context, id: string): Promise<void> {
  const { account_id } = await found(context.queries, id);
  if (!(await cancelWorkflow(context.yard, context.queries, id)))
    throw new Fault('state_conflict', { message: 'It has ended, or is being undone already.' });
  context.actFor(account_id);
}

export async function jobList({ yard }: Context): Promise<Static<typeof FailedJob>[]> {
  const failed = await yard.jobs.failed();
  return failed.map(({ id, kind, attempts, error, failedAt }) => ({
    id,
    kind,
    attempts: String(attempts),
    error,
    failed: momentText(failedAt),
  }));
}

export async function jobRetry({ yard }: Context, id: string): Promise<void> {
  if (!(await yard.jobs.retry(id))) throw new Fault('not_found', { message: 'There is no such failed job.' });
}

async function found(queries: Context['queries'], id: string): Promise<WorkflowRecord> {
  const record = await store.workflowLoad(queries, id);
  if (record === undefined) throw new Fault('not_found', { message: 'There is no such workflow.' });
  return record;
}

function listed(record: WorkflowRecord): Static<typeof WorkflowListItem> {
  return {
    ...actionShown(record),
    account: String(record.account_id),
    name: record.name,
    status: record.status,
    direction: record.direction,
  };
}

function stepsOf(record: WorkflowRecord): Static<typeof WorkflowDetail>['steps'] {
  const definition = workflows.find(({ name, version }) => name === record.name && version === record.version);
  const { direction, position, ended_at } = record;
  const state = (index: number) => {
    if (index === position && ended_at === null) return 'under way';
    if (direction === 'forward') return index < position ? 'done' : 'to come';
    return index < position ? 'done' : 'undone';
  };
  return (definition?.steps ?? []).map(({ name }, index) => ({ name, state: state(index) }));
}
