// Operator API: background work. Workflows step by step, and failed jobs.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Action } from '../shapes/action.ts';

const text = Type.String();
const statuses = ['Queued', 'Running', 'Stuck', 'Completed', 'Failed', 'Cancelled'] as const;
const { status: _, ...ofAction } = Action.properties;

export const WorkflowListItem = Type.Object({
  account: text,
  name: text,
  status: Type.Enum(statuses, { description: 'Stuck: undoing it failed, and is retried every minute' }),
  direction: Type.Enum(['forward', 'back'], { description: 'back: it is being undone' }),
  ...ofAction,
});
export const WorkflowDetail = Type.Object({
  ...WorkflowListItem.properties,
  tries: Type.String({ description: 'Attempts of the current step without a result' }),
  since: Type.String({ description: 'When the current step was first tried' }),
  steps: Type.Array(Type.Object({ name: text, state: Type.Enum(['done', 'under way', 'to come', 'undone']) }), {
    description: 'Empty if this instance does not know the workflow, as during an upgrade',
  }),
});
export const FailedJob = Type.Object({ id: text, kind: text, attempts: text, error: text, failed: text });

export const workOperator = {
  workflowList: endpoint({
    method: 'GET',
    path: '/operator/workflow',
    tag: 'work',
    access: 'operator:read',
    command: 'workflow list',
    addition: true,
    summary: 'List workflows of all accounts, newest first',
    params: {
      account: p.optional(p.Id),
      service: p.optional(p.Id),
      name: p.optional(p.Text({ max: 64 })),
      status: p.optional(p.Choice(...statuses)),
      limit: p.optional(p.Whole(1, 1000)),
      before: p.optional(p.ActionId),
    },
    result: Type.Array(WorkflowListItem),
  }),
  workflowGet: endpoint({
    method: 'GET',
    path: '/operator/workflow/{id}',
    tag: 'work',
    access: 'operator:read',
    command: 'workflow get',
    addition: true,
    summary: 'Get a workflow with its steps',
    params: { id: p.ActionId },
    result: WorkflowDetail,
  }),
  workflowRetry: endpoint({
    method: 'POST',
    path: '/operator/workflow/retry',
    tag: 'work',
    access: 'operator:equipment',
    effect: 'stored',
    command: 'workflow retry',
    addition: true,
    summary: 'Retry the current step',
    description: 'Immediately, as if it had not been tried.',
    params: { id: p.ActionId },
    target: ['id'],
    result: text,
    errors: ['state_conflict'],
  }),
  workflowUnwind: endpoint({
    method: 'POST',
    path: '/operator/workflow/unwind',
    tag: 'work',
    access: 'operator:equipment',
    effect: 'stored',
    command: 'workflow unwind',
    addition: true,
    summary: 'Cancel and roll back a workflow',
    description: 'Undoes every step, the last first.',
    params: { id: p.ActionId },
    target: ['id'],
    result: text,
    errors: ['state_conflict'],
  }),
  jobList: endpoint({
    method: 'GET',
    path: '/operator/job',
    tag: 'work',
    access: 'operator:read',
    command: 'job list',
    addition: true,
    summary: 'List failed jobs',
    description: 'Jobs that used up their retries and stay until they are retried.',
    params: {},
    result: Type.Array(FailedJob),
  }),
  jobRetry: endpoint({
    method: 'POST',
    path: '/operator/job/retry',
    tag: 'work',
    access: 'operator:equipment',
    effect: 'equipment',
    command: 'job retry',
    addition: true,
    summary: 'Retry a failed job',
    params: { id: p.JobId },
    target: ['id'],
    result: text,
  }),
} as const;
