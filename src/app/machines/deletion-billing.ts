// Ends the billing of a deleted machine as a cancellation would, or with the hour for a plan that is billed by the hour, and lets
// it continue if the machine is restored.
import { dayOf } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termEnd, termEndNow, termsOfService, type ServiceTerm } from '#store/billing/service-terms.ts';
import { machineDeletionUntil, type MachineDeletion } from '#store/devices/machine-deletions.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { moveTermEnd, setServiceTerms } from '../billing/terms.ts';
import type { Terms } from '../billing/plan-terms.ts';
import type { Context } from '../app.ts';
import { boundUntil, earliestEnd } from '../pricing/minimum-terms.ts';
import { currentTerms } from '../pricing/own-service.ts';

export interface BillingEnd extends Pick<MachineDeletion, 'until_day' | 'otherwise_day'> {
  /** The day after the minimum term; undefined if it is over. */
  readonly minimumDay: number | undefined;
}

export async function endBilling(context: Context, service: Service): Promise<BillingEnd> {
  const { queries, app } = context;
  const account = service.account_id;
  const { bill_day } = await billingAccountLock(queries, account);
  const today = dayOf(app.clock.now());
  const { terms, current } = await currentTerms(context, service);
  if (current === undefined) return { until_day: null, otherwise_day: null, minimumDay: undefined };
  const minimumDay = boundUntil(terms, current, today);
  if (current.hour_price !== null && minimumDay === undefined)
    await termEndNow(queries, account, current, app.clock.now());
  else {
    const until = Math.min(earliestEnd(terms, current, today, bill_day), current.until_day ?? Infinity);
    await moveTermEnd(queries, account, current, until, today);
  }
  const ended = (await currentTerms(context, service)).terms.find(({ id }) => id === current.id)!;
  return { until_day: ended.until_day, otherwise_day: current.until_day, minimumDay };
}

/** Ends new terms of a deleted machine before they cost anything: they apply if it is restored. */
export async function suspendTerms(queries: Queries, { id, account_id }: Service): Promise<void> {
  const last = (await termsOfService(queries, account_id, id)).at(-1)!;
  await termEnd(queries, account_id, last, last.from_day, last.from_hour);
  await machineDeletionUntil(queries, id, last.from_day);
}

/** Moves the end back, or starts the same terms anew if they have ended in the meantime. */
export async function resumeBilling(
  context: Context,
  service: Service,
  { until_day, otherwise_day }: Pick<MachineDeletion, 'until_day' | 'otherwise_day'>,
): Promise<void> {
  const { queries, app } = context;
  const account = service.account_id;
  const { bill_day } = await billingAccountLock(queries, account);
  const last = (await currentTerms(context, service)).terms.at(-1);
  // Staff may have changed the terms since.
  if (last === undefined || last.until_day !== until_day) return;
  await setServiceTerms(queries, account, service.id, {
    terms: planColumns(last),
    setupCents: 0,
    now: app.clock.now(),
    start: undefined,
    until: otherwise_day ?? undefined,
    billDay: bill_day === 0 ? undefined : bill_day,
    origin: last.origin,
    hasOwnPrice: last.own_price === 1,
  });
}

function planColumns(term: ServiceTerm): Terms {
  const { plan, price_cents, cycle_months, committed_mbits, mbit_price_cents, mbit_cap_cents } = term;
  const { addresses_included, address_price_cents, address_cap_cents, hour_price, min_months, usage_prices } = term;
  const prices = { plan, price_cents, cycle_months, committed_mbits, mbit_price_cents, mbit_cap_cents };
  return {
    ...prices,
    addresses_included,
    address_price_cents,
    address_cap_cents,
    hour_price,
    min_months,
    usage_prices,
  };
}
