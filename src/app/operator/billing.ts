// Billing runs as operators preview and start them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { BillingDifference, billingOperator } from '#contract/operator/billing.ts';
import { moneyText } from '#lib/money.ts';
import { dryRun } from '../billing/dry-run.ts';
import { startDueRuns } from '../billing/run.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

export async function billingDryRun(
  { app }: Context,
  { limit = pageLength, after }: InputOf<typeof billingOperator.billingDryRun>,
): Promise<Static<typeof BillingDifference>[]> {
  const page: Static<typeof BillingDifference>[] = [];
  for await (const { account, period, previousCents, cents, differences } of dryRun(app, after)) {
    page.push({
      account: String(account),
      period,
      before: moneyText(previousCents),
      now: moneyText(cents),
      differences: [...differences],
    });
    if (page.length === limit) break;
  }
  return page;
}

export async function billingRunStart({ app, operation }: Context): Promise<{ started: string }> {
  return { started: String(await startDueRuns(app, { operation })) };
}
