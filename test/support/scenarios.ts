// One world per registered workflow, for the harness.
import type { Scenario } from '#workflows/harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- each scenario has its own kind of world
export const scenarios: readonly Scenario<any, any>[] = [];
