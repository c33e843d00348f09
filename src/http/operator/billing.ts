// Operator API: billing runs.
import type { Handlers } from '#contract/endpoint.ts';
import type { billingOperator } from '#contract/operator/billing.ts';
import { billingDryRun, billingRunStart } from '#app/operator/billing.ts';
import type { Context, Visitor } from '#app/app.ts';

export const billingHandlers: Handlers<typeof billingOperator, Context, Visitor> = {
  billingDryRun,
  billingRunStart: (context) => billingRunStart(context),
};
