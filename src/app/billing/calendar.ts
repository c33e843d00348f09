// The billing calendar of an account. It is set with the first thing that the account is billed for, and never changes.
import { billingDay, billingMonth, dayOfMonth, monthContaining, type Period } from './billing-periods.ts';
import * as store from '#store/billing/billing-accounts.ts';
import type { Queries } from '#store/store.ts';
import { getBillingSettings } from './settings.ts';
import type { AccountId } from '#store/account-id.ts';

const maxBillDay = 28;

/** Makes sure that a run bills what begins on this day, and returns the account's billing day. Needs a transaction. */
async function ensureCalendar(
  queries: Queries,
  account: AccountId,
  firstDay: number,
  defaultDay: number | undefined,
): Promise<number> {
  const billing = await store.billingAccountLock(queries, account);
  const calendar = calendarFrom(billing, firstDay, defaultDay);
  if (billing.bill_day !== calendar.bill_day || billing.next_day !== calendar.next_day)
    await store.billingAccountSet(queries, account, calendar);
  return calendar.bill_day;
}

export interface CalendarNeed {
  readonly account: AccountId;
  readonly firstDay: number;
  readonly defaultDay: number | undefined;
}

/** Does the same for many accounts, whose billing days are not returned. */
export async function ensureCalendars(queries: Queries, needs: readonly CalendarNeed[]): Promise<void> {
  const accounts = [...new Set(needs.map(({ account }) => account))];
  const calendars = new Map(await store.billingAccountsLock(queries, accounts));
  for (const { account, firstDay, defaultDay } of needs) {
    const billing = calendars.get(account)!;
    calendars.set(account, { ...billing, ...calendarFrom(billing, firstDay, defaultDay) });
  }
  await store.billingAccountsPut(queries, [...calendars.values()]);
}

function calendarFrom(billing: store.BillingAccount, firstDay: number, defaultDay: number | undefined) {
  const billDay = chooseBillDay(billing, firstDay, defaultDay);
  const first = billingDay(billDay, billingMonth(billDay, firstDay));
  // A period is billed only once, so what begins in an already billed one is billed with the next.
  const afterLast =
    billing.last_day === null ? first : billingDay(billDay, billingMonth(billDay, billing.last_day) + 1);
  const next = Math.min(billing.next_day ?? Infinity, Math.max(first, afterLast));
  return { bill_day: billDay, next_day: next };
}

function chooseBillDay(
  billing: store.BillingAccount | undefined,
  firstDay: number,
  defaultDay: number | undefined,
): number {
  return billing?.bill_day || (defaultDay ?? Math.min(maxBillDay, dayOfMonth(firstDay)));
}

/** Returns the period that contains this day, or would if billing began on it. Writes nothing. */
export async function findPeriod(queries: Queries, account: AccountId, day: number): Promise<Period> {
  const { day: defaultDay } = await getBillingSettings(queries);
  return monthContaining(chooseBillDay(await store.billingAccountFind(queries, account), day, defaultDay), day);
}

/** Returns the account's period that contains this day; sets up a calendar if there is none. Needs a transaction. */
export async function ensurePeriod(queries: Queries, account: AccountId, day: number): Promise<Period> {
  const { day: defaultDay } = await getBillingSettings(queries);
  return monthContaining(await ensureCalendar(queries, account, day, defaultDay), day);
}
