// Operator API: background work. Workflows step by step, and failed jobs.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Action } from '../shapes/action.ts';
import { described, momentOrEmpty, text } from '../shapes/text.ts';

const statuses = ['Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled'] as const;
const { status: _, ...actionFields } = Action.properties;

export const WorkflowListItem = Type.Object({
  account: text,
  name: text,
  status: Type.Enum(statuses, { description: 'Stuck: undoing it failed and is retried every minute' }),
  direction: Type.Enum(['forward', 'back'], { description: 'back: it is being undone' }),
  ...actionFields,
  detail: described('The last message from the equipment, which customers cannot see'),
});
export const WorkflowDetail = Type.Object({
  ...WorkflowListItem.properties,
  tries: described('Attempts of the current step without a result'),
  since: described('When the current step was first tried'),
  steps: Type.Array(Type.Object({ name: text, state: Type.Enum(['done', 'under way', 'to come', 'undone']) }), {
    description: 'Empty if this instance does not know the workflow, which can happen during an upgrade',
  }),
});
export const Reconciler = Type.Object({
  name: text,
  state: Type.Enum(['well', 'late', 'failed', 'running']),
  error: described('Why the last run failed; empty if it succeeded'),
  succeeded: momentOrEmpty('Its last successful run'),
  next: described('Its next run; time in UTC, or empty while one is running'),
  lag: described('Seconds since its next run was due; 0 if it is not late'),
  duration: described('Milliseconds of the last successful run; empty before the first'),
  backlog: described('Work that the last run left pending'),
  instance: described('The instance that runs it, or ran it last; empty if that has stopped'),
});
export const FailedJob = Type.Object({ id: text, kind: text, attempts: text, error: text, failed: text });

const readEndpoint = { method: 'GET', tag: 'work', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'work', access: 'operator:equipment', effect: 'stored' } as const;

export const workOperator = {
  workflowList: endpoint({
    ...readEndpoint,
    path: '/operator/workflow',
    command: 'workflow list',
    summary: 'List workflows of all accounts, newest first',
    params: {
      account: p.optional(p.Id),
      service: p.optional(p.Id),
      name: p.optional(p.Text({ max: 64 })),
      status: p.optional(p.Choice(...statuses)),
      ...p.pageBefore(p.ActionId),
    },
    result: Type.Array(WorkflowListItem),
  }),
  workflowGet: endpoint({
    ...readEndpoint,
    path: '/operator/workflow/{id}',
    command: 'workflow get',
    summary: 'Get a workflow with its steps',
    params: { id: p.ActionId },
    result: WorkflowDetail,
  }),
  workflowRetry: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/workflow/retry',
    command: 'workflow retry',
    summary: 'Retry the current step',
    description: 'Runs the step immediately, as if it had not been tried before.',
    params: { id: p.ActionId },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  workflowUnwind: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/workflow/unwind',
    command: 'workflow unwind',
    summary: 'Cancel and roll back a workflow',
    description: 'Undoes all completed steps in reverse order.',
    params: { id: p.ActionId },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  reconcilerList: endpoint({
    ...readEndpoint,
    path: '/operator/reconciler',
    command: 'reconciler list',
    summary: 'List the loops that keep equipment and database in sync',
    result: Type.Array(Reconciler),
  }),
  jobList: endpoint({
    ...readEndpoint,
    path: '/operator/job',
    command: 'job list',
    summary: 'List failed jobs',
    description:
      'Lists jobs that used up their retries and stay until you retry them, oldest first. Pass the last id as `after` for the next page.',
    params: p.pageAfter(p.JobId),
    result: Type.Array(FailedJob),
  }),
  jobRetry: endpoint({
    method: 'POST',
    path: '/operator/job/retry',
    tag: 'work',
    access: 'operator:equipment',
    effect: 'equipment',
    command: 'job retry',
    summary: 'Retry a failed job',
    params: { id: p.JobId },
    target: ['id'],
  }),
} as const;
