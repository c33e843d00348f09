// How the work in the background goes, for the metrics, the doctor and the staff.
import { reconcilerStates, type ReconcilerRow } from '#store/work/reconcilers.ts';
import { workflowsCount, type WorkflowStatus } from '#store/work/workflows.ts';
import type { Yard } from './yard.ts';

export interface WorkReport {
  readonly reconcilers: readonly ReconcilerRow[];
  /** Those under way. */
  readonly workflows: readonly { readonly status: WorkflowStatus; readonly count: number }[];
}

const lateMs = 10 * 60_000;
/** Whether it did not run when it was due, by far. */
export function isLate({ run_at, lease_until }: ReconcilerRow, now: number): boolean {
  return Math.max(run_at, lease_until) < now - lateMs;
}

export async function workReport({ store }: Yard): Promise<WorkReport> {
  return { reconcilers: await reconcilerStates(store.queries), workflows: await workflowsCount(store.queries) };
}
