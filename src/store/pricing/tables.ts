// Row types of the tables for plans of the panel, cancellations, metered usage and coupons.
import type { GeneratedAlways } from 'kysely';
import type { AccountId } from '../account-id.ts';

export interface PricePlanTable {
  name: string;
  /** As a plan of the site file, in JSON. */
  definition: string;
  state: 'Offered' | 'Withdrawn';
  created_at: number;
  changed_at: number;
}

/** New prices for the existing services of a plan. */
export interface PriceChangeTable {
  id: GeneratedAlways<number>;
  plan: string;
  definition: string;
  from_day: number;
  created_at: number;
  applied_at: number | null;
}

export interface CancellationTable {
  service_id: number;
  account_id: AccountId;
  /** The day after the last one. */
  until_day: number;
  /** When the service ends without it; null if not. */
  otherwise_day: number | null;
  requested_at: number;
  requested_by: 'customer' | 'staff';
  reason: string;
  /** When the customer got the final notice. */
  noticed_at: number | null;
  /** Since when staff hold the termination, and why. */
  held_at: number | null;
  hold_reason: string;
  /** When the termination started, or the service was found terminated. */
  ended_at: number | null;
  /** The workflow that terminates it. */
  workflow: string | null;
}

/** One announcement of new prices. */
export interface PriceNoticeTable {
  change_id: number;
  service_id: number;
  account_id: AccountId;
  plan: string;
  from_day: number;
  sent_at: number;
  /** When the change was withdrawn. */
  withdrawn_at: number | null;
}

export interface UsageTable {
  account_id: AccountId;
  service_id: number;
  item: string;
  /** The quantity applies from this day until the day of the next row. */
  day: number;
  /** In thousandths of the item's unit. */
  quantity: number;
}

export interface CouponTable {
  code: string;
  /** In hundredths of a percent; null for a coupon with an amount. */
  percent: number | null;
  /** For each period; null for a coupon with a percentage. */
  amount_cents: number | null;
  /** Null without a limit. */
  max_uses: number | null;
  uses: number;
  /** How many invoices it reduces; null for all. */
  periods: number | null;
  /** The first day and the day after the last on which it can be redeemed; null without a limit. */
  from_day: number | null;
  until_day: number | null;
  /** The plans that it applies to, as JSON; empty for all. */
  plans: string;
  note: string;
  created_at: number;
  /** When staff ended it; redeemed coupons keep their effect. */
  ended_at: number | null;
}

export interface CouponRedemptionTable {
  account_id: AccountId;
  code: string;
  redeemed_at: number;
  periods_used: number;
}
