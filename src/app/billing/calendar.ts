// An account's place in the calendar of bills, which it gets with the first thing that it is billed for and keeps.
import { billingDayOf, billingMonth, dayOfMonth, monthHolding, type Period } from '#kernel/billing-calendar.ts';
import {
  billingAccountFind,
  billingAccountHold,
  billingAccountSet,
  type BillingAccount,
} from '#store/billing/billing-accounts.ts';
import type { Queries } from '#store/store.ts';
import type { AccountId } from '#store/tables.ts';
import { billingSettings } from './settings.ts';

const latestBillDay = 28;

/** In a transaction: sees to it that a run comes for what is billed from this day on. Answers the account's day of the month. */
export async function calendarBegin(
  queries: Queries,
  account: AccountId,
  firstDay: number,
  wantedBillDay: number | undefined,
): Promise<number> {
  const billing = await billingAccountHold(queries, account);
  const billDay = billDayOf(billing, firstDay, wantedBillDay);
  const first = billingDayOf(billDay, billingMonth(billDay, firstDay));
  // A period is billed once: what begins in one that was billed already comes with the next.
  const afterLast =
    billing.last_day === null ? first : billingDayOf(billDay, billingMonth(billDay, billing.last_day) + 1);
  const next = Math.min(billing.next_day ?? Infinity, Math.max(first, afterLast));
  if (billing.bill_day !== billDay || billing.next_day !== next)
    await billingAccountSet(queries, account, { bill_day: billDay, next_day: next });
  return billDay;
}

function billDayOf(billing: BillingAccount | undefined, firstDay: number, wanted: number | undefined): number {
  return billing?.bill_day || (wanted ?? Math.min(latestBillDay, dayOfMonth(firstDay)));
}

/** The period that holds this day, or would if something began to be billed on it. Nothing is changed. */
export async function periodSeen(queries: Queries, account: AccountId, day: number): Promise<Period> {
  const { day: wanted } = await billingSettings(queries);
  return monthHolding(billDayOf(await billingAccountFind(queries, account), day, wanted), day);
}

/** In a transaction: the account's period that holds this day; an account without a calendar gets one. */
export async function periodHolding(queries: Queries, account: AccountId, day: number): Promise<Period> {
  const { day: wanted } = await billingSettings(queries);
  return monthHolding(await calendarBegin(queries, account, day, wanted), day);
}
