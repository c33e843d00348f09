// Operator API: billing.
import type { billingOperator } from '#contract/operator/billing.ts';
import { billingResume } from '#app/billing/pause.ts';
import { billingDryRun, billingRunStart } from '#app/operator/billing.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const billingHandlers: HandlersOf<typeof billingOperator> = {
  billingDryRun,
  billingRunStart: (context) => billingRunStart(context),
  billingResume: respondWith('Billing Resumed', billingResume),
};
