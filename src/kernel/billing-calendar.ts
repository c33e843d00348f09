// The calendar of bills, in days since 1970. An account is billed on one day of the month, 1 to 28, so that every month has
// it; a period runs from that day to the day before the next. Quarters and years are such months counted from where the
// service began.

export interface Period {
  readonly from: number;
  /** The day after the last. */
  readonly until: number;
}

const dayMs = 86_400_000;

/** The month, counted from 1970, whose billing day is the last one up to this day. */
export function billingMonth(billDay: number, day: number): number {
  const date = new Date(day * dayMs);
  const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
  return date.getUTCDate() < billDay ? month - 1 : month;
}

export function billingDayOf(billDay: number, month: number): number {
  return Date.UTC(1970, month, billDay) / dayMs;
}

/** The account's month that holds the day. */
export function monthHolding(billDay: number, day: number): Period {
  const month = billingMonth(billDay, day);
  return { from: billingDayOf(billDay, month), until: billingDayOf(billDay, month + 1) };
}

/** The cycle that holds the day, of a service that began on the anchor's day. */
export function cycleHolding(billDay: number, anchorDay: number, months: number, day: number): Period {
  const first = billingMonth(billDay, anchorDay);
  const start = first + months * Math.floor((billingMonth(billDay, day) - first) / months);
  return { from: billingDayOf(billDay, start), until: billingDayOf(billDay, start + months) };
}

export function dayOfMonth(day: number): number {
  return new Date(day * dayMs).getUTCDate();
}
export function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}
