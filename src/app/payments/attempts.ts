// When an invoice is collected automatically: on its due day, and again on the days after it that the site file names.
import { dayOf } from '#lib/time.ts';
import type { Charge } from '#store/payments/charges.ts';

export interface CollectionSettings {
  /** Days after the due date, in ascending order. */
  readonly retryDays: readonly number[];
  /** Where staff are notified of chargebacks. */
  readonly notify?: string;
}

type Attempt = Pick<Charge, 'state' | 'attempt' | 'charged_back_cents'>;

/** Returns the day of the next automatic attempt, or undefined if there is none. */
export function nextAttemptDay(
  dueDay: number,
  charges: readonly Attempt[],
  { retryDays }: Pick<CollectionSettings, 'retryDays'>,
): number | undefined {
  const attempts = charges.reduce((most, { attempt }) => Math.max(most, attempt), 0);
  const days = [0, ...retryDays];
  return attempts < days.length ? dueDay + days[attempts]! : undefined;
}

/**
 * Returns true if the invoice is to be collected with this method today. After a chargeback nothing is collected, as
 * the customer has objected. While the customer has to confirm a charge of the same method, or has a page open on which
 * to pay, another charge would be a second one.
 */
export function isAttemptDue(
  invoice: { readonly due_day: number },
  charges: readonly (Attempt & Pick<Charge, 'method_id' | 'checkout_id' | 'created_at'>)[],
  method: number,
  today: number,
  settings: Pick<CollectionSettings, 'retryDays'>,
): boolean {
  const day = nextAttemptDay(invoice.due_day, charges, settings);
  if (day === undefined || day > today) return false;
  return !charges.some(
    ({ state, attempt, created_at, charged_back_cents, method_id, checkout_id }) =>
      // After an outage, several attempts would otherwise follow one another.
      (attempt > 0 && dayOf(created_at) >= today) ||
      state === 'created' ||
      state === 'submitted' ||
      charged_back_cents > 0 ||
      (state === 'needs_action' && (method_id === method || checkout_id !== '')),
  );
}
