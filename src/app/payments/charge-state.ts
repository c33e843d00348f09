// The states of a charge. Response, notice and reconciler report the same outcome in any order and more than once; only
// the first report of a success receives money, and a success outweighs everything else.
import type { ChargeState as DisplayState } from '#contract/shapes/payment.ts';
import type { ChargeOutcome } from '#drivers/payment/driver.ts';
import type { Charge } from '#store/payments/charges.ts';

export type ChargeState = Charge['state'];

const ranks: Readonly<Record<ChargeState, number>> = {
  created: 0,
  submitted: 1,
  needs_action: 1,
  failed: 2,
  succeeded: 3,
};

/** The code of a charge whose page has expired; other failures leave the page open for another attempt. */
export const expiredCode = 'expired';

/** Returns the state that follows from a report, or undefined if it changes nothing. */
export function stateAfter(
  { state, checkout_id }: Pick<Charge, 'state' | 'checkout_id'>,
  outcome: ChargeOutcome,
): ChargeState | undefined {
  if (outcome.state === state || ranks[outcome.state] < ranks[state]) return undefined;
  const isPageOpen = checkout_id !== '' && outcome.state === 'failed' && outcome.code !== expiredCode;
  return isPageOpen ? undefined : outcome.state;
}

/** Returns how much of a charge can still be refunded. */
export function refundableCents(
  charge: Pick<Charge, 'state' | 'amount_cents' | 'refunded_cents' | 'charged_back_cents'>,
): number {
  if (charge.state !== 'succeeded') return 0;
  return Math.max(0, charge.amount_cents - charge.refunded_cents - charge.charged_back_cents);
}

/** Returns the state that people read. */
export function displayState(charge: Charge): DisplayState {
  if (charge.charged_back_cents > 0) return 'charged_back';
  if (charge.refunded_cents >= charge.amount_cents) return 'refunded';
  return charge.refunded_cents > 0 ? 'partly_refunded' : charge.state;
}
