// The state of background work, for the metrics, the doctor and operators.
import { reconcilerStates, type ReconcilerRow } from '#store/work/reconcilers.ts';
import { workflowsCount } from '#store/work/workflows.ts';
import type { App } from '../app.ts';
import type { WorkflowStatus } from '#store/work/tables.ts';

export interface WorkReport {
  readonly reconcilers: readonly ReconcilerRow[];
  /** Workflows in progress. */
  readonly workflows: readonly { readonly status: WorkflowStatus; readonly count: number }[];
}

const lateMs = 10 * 60_000;
/** Returns true if the reconciler is long overdue. */
export function isLate({ run_at, lease_until }: ReconcilerRow, now: number): boolean {
  return Math.max(run_at, lease_until) < now - lateMs;
}

export async function getWorkReport({ store }: App): Promise<WorkReport> {
  return { reconcilers: await reconcilerStates(store.queries), workflows: await workflowsCount(store.queries) };
}
