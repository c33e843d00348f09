// Billing pauses when the clock has jumped: invoices with a wrong date and suspensions cannot be taken back. It resumes when
// the clock is right again, or when an operator confirms the date.
import type { InputOf } from '#contract/endpoint.ts';
import type { billingOperator } from '#contract/operator/billing.ts';
import { conflict } from '#lib/api-error.ts';
import { dayText } from '#lib/time.ts';
import type { Queries } from '#store/store.ts';
import { confirmTime, findClockJump, type ClockJump } from '#store/work/trusted-time.ts';
import type { App, Context } from '../app.ts';

export function findBillingPause({ store, clock }: Pick<App, 'store' | 'clock'>): Promise<ClockJump | undefined> {
  return findClockJump(store.queries, clock.now());
}

/** Throws if billing is paused. The billing that follows must depend on `now`, not on a later look at the clock. */
export async function requireBilling(queries: Queries, now: number): Promise<void> {
  if ((await findClockJump(queries, now)) !== undefined)
    throw conflict('Billing is paused because the clock has jumped. It resumes when staff confirm the date.');
}

/** The operator states the date, so that a clock that is still wrong is noticed. */
export async function billingResume(
  { app, queries }: Context,
  { date }: InputOf<typeof billingOperator.billingResume>,
): Promise<void> {
  const now = app.clock.now();
  if ((await findClockJump(queries, now)) === undefined) throw conflict('Billing is not paused.');
  if (date !== dayText(now))
    throw conflict(`The clock shows ${dayText(now)} in UTC. If that is wrong, correct the clock instead.`);
  await confirmTime(queries, now);
}
