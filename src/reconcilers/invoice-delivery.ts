// Hands invoices to the access point when they are due.
import { deliveryReconciler, type InvoiceDelivery } from '#store/billing/invoice-deliveries.ts';
import { pollingReconciler } from './poll.ts';
import { failureLog, type Reconciler, type ReconcilerParts } from './reconciler.ts';

/** Implemented in app. */
export interface DeliveryWork {
  listDue(limit: number): Promise<readonly InvoiceDelivery[]>;
  /** Throws if the access point does not answer, after which the delivery is due again a while later. */
  handOver(due: InvoiceDelivery, signal: AbortSignal): Promise<void>;
}

export function invoiceDelivery(
  { log }: Pick<ReconcilerParts, 'log'>,
  { listDue, handOver }: DeliveryWork,
): Reconciler {
  const failures = failureLog(log, 'the access point for e-invoices did not answer');
  return pollingReconciler(
    deliveryReconciler,
    async (limit) => (await listDue(limit)).map((due) => ({ name: String(due.id), due })),
    async ({ due }, signal) => void (await failures.attempt('access point', () => handOver(due, signal))),
    // Issuing an invoice signals it.
    'one instance',
  );
}
