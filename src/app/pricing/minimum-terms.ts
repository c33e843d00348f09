// When a service can end at the earliest: at the end of the period that is paid for, and not before the minimum term of its plan.
import { dayMs } from '#lib/time.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import { cycleContaining } from '../billing/billing-periods.ts';

/** Returns the first day after the minimum term, which counts from the day on which the service got the plan. */
export function minimumEnd(terms: readonly ServiceTerm[], current: ServiceTerm): number {
  let from = current.from_day;
  for (const term of terms.toReversed()) {
    if (term.id >= current.id) continue;
    if (term.plan !== current.plan || term.until_day !== from) break;
    from = term.from_day;
  }
  return addMonths(from, current.min_months);
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
