// Works off notices, charges and refunds at payment providers, and collects invoices that are due.
import { pollingReconciler } from './poll.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

/** Implemented in app. */
export interface PaymentWork {
  listDue(limit: number): Promise<readonly { readonly name: string; perform(signal: AbortSignal): Promise<unknown> }[]>;
  isPaused(): Promise<boolean>;
  /** Returns how many charges were started. */
  collect(signal: AbortSignal): Promise<number>;
}

export function paymentReconcilers(
  { log }: Pick<ReconcilerParts, 'log'>,
  { listDue, isPaused, collect }: PaymentWork,
): Reconciler[] {
  const failures = failureLog(log, 'a payment could not be processed; trying again');
  const processing = pollingReconciler(
    'payments',
    listDue,
    async ({ name, perform }, signal) => void (await failures.attempt(name, () => perform(signal))),
    // A new charge or notice signals it.
    'one instance',
  );
  const collecting: Reconciler = {
    name: 'payment-collection',
    everySeconds: 60,
    deadlineSeconds: 600,
    run: async (signal) => ({ backlog: (await isPaused()) ? 0 : await collect(signal) }),
  };
  return [processing, collecting];
}
