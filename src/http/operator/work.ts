// Operator API: workflows and jobs.
import type { workOperator } from '#contract/operator/work.ts';
import * as work from '#app/operator/work.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const workHandlers: HandlersOf<typeof workOperator> = {
  workflowList: work.workflowList,
  workflowGet: (context, { id }) => work.workflowGet(context, id),
  workflowRetry: respondWith('Workflow Retried', (context, { id }) => work.workflowRetry(context, id)),
  workflowUnwind: respondWith('Workflow Unwinding', (context, { id }) => work.workflowUnwind(context, id)),
  reconcilerList: (context) => work.reconcilerList(context),
  jobList: work.jobList,
  jobRetry: respondWith('Job Retried', (context, { id }) => work.jobRetry(context, id)),
};
