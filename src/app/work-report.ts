// How the work in the background goes, for the metrics.
import { reconcilerStates, type ReconcilerRow } from '#store/reconcilers.ts';
import { workflowsCount, type WorkflowStatus } from '#store/workflows.ts';
import type { Yard } from './yard.ts';

export interface WorkReport {
  readonly reconcilers: readonly ReconcilerRow[];
  /** Those under way. */
  readonly workflows: readonly { readonly status: WorkflowStatus; readonly count: number }[];
}

export async function workReport({ store }: Yard): Promise<WorkReport> {
  return { reconcilers: await reconcilerStates(store.queries), workflows: await workflowsCount(store.queries) };
}
