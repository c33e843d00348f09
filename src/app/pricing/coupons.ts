// Coupons: staff create them, and an account redeems each at most once. The count and the redemption are written in one
// transaction, so that a coupon is never used more often than its limit.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { Coupon, OwnCoupon } from '#contract/shapes/pricing.ts';
import { ApiError, conflict, invalid } from '#lib/api-error.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { dayNumber, dayNumberText, dayOf, optionalTimeText, timeText } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/pricing/coupons.ts';
import type { Context } from '../app.ts';
import { otherCurrencyOf } from '../billing/currency/settings.ts';
import { pageLength } from '../operator/accounts.ts';

/** Each is looked at in every billing run of the account. */
const maxCouponsOfAccount = 20;

export async function couponCreate(
  { app, queries }: Context,
  input: InputOf<typeof pricingOperator.couponCreate>,
): Promise<void> {
  const { discount, uses, periods, from, until, plans = [], note = '' } = input;
  const value = moneyCents(discount.replace('%', ''))!;
  if (value === 0) throw invalid({ discount: 'must be more than 0' });
  const [firstDay, lastDay] = [from, until].map((text) => (text === undefined ? null : dayNumber(text)));
  if (firstDay === undefined) throw invalid({ from: 'must be a date such as 2026-01-31' });
  if (lastDay === undefined) throw invalid({ until: 'must be a date such as 2026-01-31' });
  const isNew = await store.couponInsert(queries, {
    code: normalizeCode(input.coupon),
    percent: discount.endsWith('%') ? value : null,
    amount_cents: discount.endsWith('%') ? null : value,
    max_uses: uses ?? null,
    uses: 0,
    periods: periods ?? null,
    from_day: firstDay ?? null,
    until_day: lastDay === null ? null : lastDay + 1,
    plans: store.couponPlans.encode(plans),
    note,
    created_at: app.clock.now(),
    ended_at: null,
  });
  if (!isNew) throw new ApiError('already_exists', { message: 'A coupon with this code already exists.' });
}

export async function couponEnd({ app, queries }: Context, code: string): Promise<void> {
  if (!(await store.couponEnd(queries, normalizeCode(code), app.clock.now())))
    throw conflict('The coupon does not exist, or has already ended.');
}

export async function couponList(
  { queries }: Context,
  { limit = pageLength, after = '' }: InputOf<typeof pricingOperator.couponList>,
): Promise<Static<typeof Coupon>[]> {
  return (await store.couponList(queries, { after: normalizeCode(after), limit })).map((coupon) => ({
    ...couponValues(coupon),
    uses: String(coupon.uses),
    maxuses: coupon.max_uses === null ? '' : String(coupon.max_uses),
    from: coupon.from_day === null ? '' : dayNumberText(coupon.from_day),
    until: coupon.until_day === null ? '' : dayNumberText(coupon.until_day - 1),
    note: coupon.note,
    created: timeText(coupon.created_at),
    ended: optionalTimeText(coupon.ended_at),
  }));
}

function couponValues({ code, percent, amount_cents, periods, plans }: store.Coupon) {
  return {
    code,
    percent: percent === null ? '' : moneyText(percent),
    amount: amount_cents === null ? '' : moneyText(amount_cents),
    periods: periods === null ? '' : String(periods),
    plans: store.couponPlans.decode(plans),
  };
}

export async function couponRedeem({ app, queries, caller }: Context, input: string): Promise<void> {
  const code = normalizeCode(input);
  const now = app.clock.now();
  // Before anything else, so that two attempts of an account run one after another.
  await billingAccountLock(queries, caller.account);
  const redeemed = await store.couponsOfAccount(queries, caller.account);
  if (redeemed.some((coupon) => coupon.code === code)) throw conflict('You have already redeemed this coupon.');
  if (redeemed.length >= maxCouponsOfAccount) throw conflict('You have redeemed too many coupons. Contact support.');
  const coupon = await store.couponFind(queries, code);
  // An unknown code and one that has ended get the same answer, so that nobody learns which codes exist.
  if (coupon === undefined || !isValidOn(coupon, dayOf(now)) || !(await store.couponUse(queries, code)))
    throw new ApiError('not_in_catalogue', { message: 'This coupon is not valid.' });
  const currency = coupon.amount_cents === null ? undefined : await otherCurrencyOf(queries, caller.account);
  if (currency !== undefined) throw conflict(`This coupon is not valid in ${currency}, the currency of your account.`);
  await store.redemptionInsert(queries, { account_id: caller.account, code, redeemed_at: now, periods_used: 0 });
}

function isValidOn({ from_day, until_day, ended_at }: store.Coupon, day: number): boolean {
  return ended_at === null && day >= (from_day ?? day) && day < (until_day ?? Infinity);
}

export async function ownCouponList({ queries, caller }: Context): Promise<Static<typeof OwnCoupon>[]> {
  return (await store.couponsOfAccount(queries, caller.account)).map((coupon) => ({
    ...couponValues(coupon),
    redeemed: timeText(coupon.redeemed_at),
    periodsused: String(coupon.periods_used),
  }));
}

/** People type codes in any case. */
function normalizeCode(code: string): string {
  return code.toUpperCase();
}
