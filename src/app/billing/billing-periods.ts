// The billing calendar, in days since 1970. An account is billed on one day of the month, 1 to 28, so that every month
// has it; a period runs from that day to the day before the next. Quarters and years consist of such months, counted
// from the start of the service.
import { dayMs } from '#lib/time.ts';

export interface Period {
  readonly from: number;
  /** The day after the last. */
  readonly until: number;
}

/** Returns the month, counted from 1970, of the last billing day on or before this day. */
export function billingMonth(billDay: number, day: number): number {
  const date = new Date(day * dayMs);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return date.getUTCDate() < billDay ? month - 1 : month;
}

export function billingDay(billDay: number, month: number): number {
  return Date.UTC(1970, month, billDay) / dayMs;
}

/** Returns the billing month that contains the day. */
export function monthContaining(billDay: number, day: number): Period {
  const month = billingMonth(billDay, day);
  return { from: billingDay(billDay, month), until: billingDay(billDay, month + 1) };
}

/** Returns the billing cycle that contains the day, for a service that began on the anchor day. */
export function cycleContaining(billDay: number, anchorDay: number, months: number, day: number): Period {
  const first = billingMonth(billDay, anchorDay);
  const start = first + months * Math.floor((billingMonth(billDay, day) - first) / months);
  return { from: billingDay(billDay, start), until: billingDay(billDay, start + months) };
}

export function dayOfMonth(day: number): number {
  return new Date(day * dayMs).getUTCDate();
}
export function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}
