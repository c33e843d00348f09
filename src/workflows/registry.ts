// Every workflow that can be under way, old versions included until nothing runs under them. What stands here is enrolled
// in the harness (registry.test.ts): one without a scenario there fails the test run.
import { powerCycle, type PowerCycleDeps } from './power-cycle.ts';
import type { AnyWorkflow } from './workflow.ts';

/** What steps work with. Each kind of equipment adds its part. */
export type WorkflowDeps = PowerCycleDeps;

export const workflows: readonly AnyWorkflow<WorkflowDeps>[] = [powerCycle];
