// Validates VAT numbers when they are due.
import { vatReconciler, type AccountTax } from '#store/billing/account-taxes.ts';
import { pollingReconciler } from './poll.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

/** Implemented in app. */
export interface VatWork {
  listDue(limit: number): Promise<readonly AccountTax[]>;
  /** Throws if the register does not answer, after which the number is due again a while later. */
  validate(due: AccountTax, signal: AbortSignal): Promise<void>;
}

export function vatNumbers({ log }: Pick<ReconcilerParts, 'log'>, { listDue, validate }: VatWork): Reconciler {
  const failures = failureLog(log, 'the register of VAT numbers did not answer');
  return pollingReconciler(
    vatReconciler,
    async (limit) => (await listDue(limit)).map((due) => ({ name: String(due.account_id), due })),
    async ({ due }, signal) => void (await failures.attempt('register', () => validate(due, signal))),
    // A change of tax data signals it.
    'one instance',
  );
}
