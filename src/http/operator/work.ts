// Operator API: workflows and jobs.
import type { Handlers } from '#contract/endpoint.ts';
import type { workOperator } from '#contract/operator/work.ts';
import * as work from '#app/operator/work.ts';
import type { Context, Visitor } from '#app/app.ts';

export const workHandlers: Handlers<typeof workOperator, Context, Visitor> = {
  workflowList: work.workflowList,
  workflowGet: (context, { id }) => work.workflowGet(context, id),
  workflowRetry: async (context, { id }) => {
    await work.workflowRetry(context, id);
    return 'Workflow Retried';
  },
  workflowUnwind: async (context, { id }) => {
    await work.workflowUnwind(context, id);
    return 'Workflow Unwinding';
  },
  jobList: (context) => work.jobList(context),
  jobRetry: async (context, { id }) => {
    await work.jobRetry(context, id);
    return 'Job Retried';
  },
};
