// Bills one account for one period. The measured traffic is saved, so that a repeated run bills the same figures. The invoice
// is written in the final transaction, because it cannot be undone and no later step may fail.
import type { Queries } from '#store/store.ts';
import { done, workflow } from '../engine/workflow.ts';
import type { AccountId } from '#store/account-id.ts';

/** Decides what an account is billed for; implemented in app. */
export interface BillingActions<Measured = unknown> {
  measure(account: AccountId, periodDay: number): Promise<Measured>;
  /** Does nothing if that period has been billed already. */
  bill(queries: Queries, account: AccountId, periodDay: number, measured: Measured): Promise<void>;
  /** Allows the next run to start. */
  finishRun(queries: Queries, account: AccountId): Promise<void>;
}

export interface BillingRunDeps {
  readonly billing: BillingActions;
}
export interface BillingRunInput {
  /** The first day of the period, in days since 1970. */
  readonly periodDay: number;
}

export const billingRun = workflow<BillingRunDeps, BillingRunInput>('billing-run', 1)
  .step('measure', {
    do: async ({ deps, account }, { periodDay }) => done(await deps.billing.measure(account, periodDay)),
    undo: 'nothing',
  })
  .onEnd(async (queries, { account, input, ...ending }, { billing }) => {
    if (ending.outcome === 'Completed') await billing.bill(queries, account, input.periodDay, ending.saved.measure);
    await billing.finishRun(queries, account);
  });
