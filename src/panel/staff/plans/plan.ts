// A plan in the list of plans.
import type { Methods } from '#sdk/operator.ts';

export type Plan = Awaited<ReturnType<Methods['pricePlanList']>>[number];
