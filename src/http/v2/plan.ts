// v2: plans.
import type { planV2 } from '#contract/v2/plan.ts';
import { planCreate, planDecide, planGet } from '#app/plans/plans.ts';
import type { HandlersOf } from '../handler.ts';
import { executePlan, validatePlannedInput } from '../plan-execution.ts';
import type { AnyHandler } from '../request.ts';

/** Plans call other handlers and are handlers themselves, so they look the others up when called. */
export function planHandlers(handlerOf: (operation: string) => AnyHandler): HandlersOf<typeof planV2> {
  return {
    planGet,
    planCreate: (context, { operation, params }) =>
      planCreate(context, operation, validatePlannedInput(operation, params)),
    planDecide: (context, { id, decision }) => planDecide(context, id, decision),
    planRun: (context, { id }) => executePlan(context, id, handlerOf),
  };
}
