// Operator API: billing runs.
import type { billingOperator } from '#contract/operator/billing.ts';
import { billingDryRun, billingRunStart } from '#app/operator/billing.ts';
import type { HandlersOf } from '../handler.ts';

export const billingHandlers: HandlersOf<typeof billingOperator> = {
  billingDryRun,
  billingRunStart: (context) => billingRunStart(context),
};
