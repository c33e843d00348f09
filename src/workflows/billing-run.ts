// One account's bill for one period.
//
// measure: the traffic of the month that is over, which may take a while and is kept, so that a bill that is drawn again is
// drawn from the same figures.   The end: the invoice, in the transaction in which the workflow ends. An invoice cannot be
// taken back, so there is no step after it that could fail.
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { done, workflow } from './workflow.ts';

/** Who draws the bill: what an account is billed for is decided above this room. */
export interface BillingOffice<Measured = unknown> {
  measure(account: AccountId, periodDay: number): Promise<Measured>;
  /** Does nothing where that period has been billed. */
  bill(queries: Queries, account: AccountId, periodDay: number, measured: Measured): Promise<void>;
  /** The next run may begin. */
  runOver(queries: Queries, account: AccountId): Promise<void>;
}

export interface BillingRunDeps {
  readonly billing: BillingOffice;
}
export interface BillingRunInput {
  /** The day on which the period begins, counted from 1970. */
  readonly periodDay: number;
}

export const billingRun = workflow<BillingRunDeps, BillingRunInput>('billing-run', 1)
  .step('measure', {
    do: async ({ deps, account }, { periodDay }) => done(await deps.billing.measure(account, periodDay)),
    undo: 'nothing',
  })
  .whenEnded(async (queries, { account, input, outputs, outcome }, { billing }) => {
    const { periodDay } = input as BillingRunInput;
    if (outcome === 'Completed') await billing.bill(queries, account, periodDay, outputs['measure']);
    await billing.runOver(queries, account);
  });
