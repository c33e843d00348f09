// Version 2: plans.
import type { Handlers } from '#contract/endpoint.ts';
import type { planV2 } from '#contract/v2/plan.ts';
import { planCreate, planDecide, planGet } from '#app/plans/plans.ts';
import type { Context, Visitor } from '#app/yard.ts';
import { carryOutPlanned, plannedInput } from '../planned.ts';
import type { AnyHandler } from '../request.ts';

/** They are among the handlers themselves, so they learn of the others when they are called. */
export function planHandlers(handlerOf: (operation: string) => AnyHandler): Handlers<typeof planV2, Context, Visitor> {
  return {
    planGet,
    planCreate: (context, { operation, params }) => planCreate(context, operation, plannedInput(operation, params)),
    planDecide: (context, { id, decision }) => planDecide(context, id, decision),
    planRun: (context, { id }) => carryOutPlanned(context, id, handlerOf),
  };
}
