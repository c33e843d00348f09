// The state of a delivery and how reports change it. Responses, signed reports and answers to our questions arrive in any
// order and repeatedly: a later state is never replaced by an earlier one, and the first final state stays.
import type { DeliveryState } from '#contract/shapes/invoice-delivery.ts';
import type { DeliveryReport } from '#drivers/invoice-delivery/driver.ts';

const ranks: Readonly<Record<DeliveryState, number>> = { queued: 0, sent: 1, delivered: 2, rejected: 2 };

export function nextDeliveryState(state: DeliveryState, { status }: Pick<DeliveryReport, 'status'>): DeliveryState {
  const reported = status === 'accepted' ? 'sent' : status;
  return ranks[reported] > ranks[state] ? reported : state;
}

export function isFinal(state: DeliveryState): boolean {
  return ranks[state] === 2;
}

/** The identifier of the document in the network. */
export function documentId({ invoice_id, attempt }: { invoice_id: number; attempt: number }): string {
  return `invoice-${invoice_id}-${attempt}`;
}

export function parseDocumentId(id: string): { invoice: number; attempt: number } | undefined {
  const [, invoice, attempt] = /^invoice-([1-9][0-9]{0,14})-([1-9][0-9]{0,3})$/.exec(id) ?? [];
  return invoice === undefined ? undefined : { invoice: Number(invoice), attempt: Number(attempt) };
}
