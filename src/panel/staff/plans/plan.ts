// A plan in the list of plans.
import type { StaffResult } from '../../data/operations.ts';

export type Plan = StaffResult<'pricePlanList'>[number];
