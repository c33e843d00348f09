// When a service can end at the earliest: at the end of the period that is paid for, and not before the minimum term of its plan,
// or of one that the customer had before and has left for a dearer one.
import { restorableHours } from '#contract/shapes/machine.ts';
import { dayMs, hourMs } from '#lib/time.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import { cycleContaining } from '../billing/billing-periods.ts';
import { monthlyCents } from '../billing/plan-terms.ts';

/** A machine that is restored in this time continues its contract, although it was not billed meanwhile. */
const restorableDays = (restorableHours * hourMs) / dayMs;

/** Returns the first day after the minimum term, which counts from the day on which the service got the plan. */
export function minimumEnd(terms: readonly ServiceTerm[], current: ServiceTerm): number {
  let first = current;
  let { min_months } = current;
  let end = 0;
  for (const term of terms.toReversed()) {
    if (term.id >= current.id) continue;
    const isSamePlan = term.plan === first.plan;
    const gap = first.from_day - (term.until_day ?? Infinity);
    if (gap < 0 || gap > (isSamePlan ? restorableDays : 0) || !(isSamePlan || isUpgrade(term, first))) break;
    if (!isSamePlan) {
      end = Math.max(end, addMonths(first.from_day, min_months));
      ({ min_months } = term);
    }
    first = term;
  }
  return Math.max(end, addMonths(first.from_day, min_months));
}

/**
 * Returns true for every change that customers can make during a minimum term. Staff end it with a price of their own, a cheaper
 * plan, or the site file.
 */
function isUpgrade(before: ServiceTerm, after: ServiceTerm): boolean {
  return after.origin === 'order' && after.own_price === 0 && monthlyCents(after) >= monthlyCents(before);
}

/** Returns the first day after the minimum term, or undefined if there is none or it is over. */
export function boundUntil(terms: readonly ServiceTerm[], current: ServiceTerm, today: number): number | undefined {
  const end = minimumEnd(terms, current);
  return end > Math.max(today, current.from_day) ? end : undefined;
}

/** Returns the day after the last one. */
export function earliestEnd(
  terms: readonly ServiceTerm[],
  current: ServiceTerm,
  today: number,
  billDay: number,
): number {
  const minimum = minimumEnd(terms, current);
  if (current.hour_price !== null) return Math.max(today + 1, minimum);
  const day = Math.max(today, minimum - 1, current.from_day);
  return cycleContaining(billDay, current.anchor_day, current.cycle_months, day).until;
}

/** The last day of a shorter month stands for days that it does not have. */
function addMonths(day: number, months: number): number {
  const date = new Date(day * dayMs);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastOfMonth)) / dayMs;
}
