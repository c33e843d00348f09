// Every kind of job that this process works on.
import type { JobWorker } from '#jobs/jobs.ts';
import { workflows } from '#workflows/registry.ts';
import { workflowWorker } from '#workflows/runner.ts';
import { billingOffice } from './billing/run.ts';
import { webhookWorker } from './events/webhook-delivery.ts';
import type { Yard } from './yard.ts';

export function workers(yard: Yard): JobWorker[] {
  return [webhookWorker(yard), workflowWorker({ ...yard, deps: { ...yard, billing: billingOffice(yard) }, workflows })];
}
