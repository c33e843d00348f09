// Every kind of job that this process works on.
import type { JobWorker } from '#jobs/jobs.ts';
import { webhookWorker } from './webhook-delivery.ts';
import type { Yard } from './yard.ts';

export function workers(yard: Yard): JobWorker[] {
  return [webhookWorker(yard)];
}
