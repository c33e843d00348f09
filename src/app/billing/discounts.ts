// Discounts of coupons on the prices of plans. Each discount belongs to one charge and its days, so that days that are credited
// later take their part of the discount with them.
import { moneyPart, moneyShare } from '#lib/money.ts';
import { discountsOfAccount, type Charge as ChargeRow } from '#store/billing/charges.ts';
import { couponPeriodCount, couponPlans, couponsOfAccount, type RedeemedCoupon } from '#store/pricing/coupons.ts';
import { spanText, termSubject, termTitle, type BillContext, type Charge, type ChargesOfKind } from './charges.ts';

export async function discountCharges(context: BillContext, charges: readonly Charge[]): Promise<ChargesOfKind> {
  const { queries, account } = context;
  const coupons = await couponsOfAccount(queries, account);
  if (coupons.length === 0) return { charges: [], continues: false };
  const hosting = charges.filter(({ kind }) => kind === 'Hosting');
  const credits = hosting.filter(({ cents }) => cents < 0);
  const earlier = credits.length === 0 ? [] : await discountsOfAccount(queries, account);
  const left = new Map(hosting.filter(({ cents }) => cents > 0).map((charge) => [charge, charge.cents]));
  const used: string[] = [];
  const discounts: Charge[] = [];
  for (const coupon of coupons) {
    if (coupon.periods !== null && coupon.periods_used >= coupon.periods) continue;
    const given = discountsOfCoupon(context, coupon, left);
    if (given.length > 0) used.push(coupon.code);
    discounts.push(...given);
  }
  return {
    charges: [...credits.flatMap((credit) => reversals(credit, earlier)), ...discounts],
    settle: async (transaction) => {
      for (const code of used) await couponPeriodCount(transaction, account, code);
    },
    continues: false,
  };
}

/** Takes the discounts off what is left of each charge, so that several coupons never exceed it. */
function discountsOfCoupon(context: BillContext, coupon: RedeemedCoupon, left: Map<Charge, number>): Charge[] {
  const plans = couponPlans.decode(coupon.plans);
  const terms = new Map(context.terms.map((term) => [termSubject(term), term]));
  let amount = coupon.amount_cents ?? Infinity;
  const discounts: Charge[] = [];
  for (const [charge, cents] of left) {
    const term = terms.get(charge.subject)!;
    if (plans.length > 0 && !plans.includes(term.plan)) continue;
    const discount = Math.min(cents, coupon.percent === null ? amount : moneyShare(cents, coupon.percent));
    if (discount === 0) continue;
    amount -= discount;
    left.set(charge, cents - discount);
    discounts.push({
      ...charge,
      kind: 'Discount',
      subject: `${charge.subject} coupon ${coupon.code}`,
      cents: -discount,
      description: `Coupon ${coupon.code}: ${termTitle(term, context.services)}, ${spanText(charge.from, charge.until)}`,
    });
  }
  return discounts;
}

/** Returns the part of earlier discounts that falls on the credited days. */
function reversals(credit: Charge, earlier: readonly ChargeRow[]): Charge[] {
  const bySubject = Map.groupBy(
    earlier.filter(({ subject }) => subject.startsWith(`${credit.subject} coupon `)),
    ({ subject }) => subject,
  );
  return [...bySubject].flatMap(([subject, rows]) => {
    const cents = rows.reduce((sum, { from_day, until_day, amount_cents }) => {
      const [from, until] = [Math.max(from_day, credit.from), Math.min(until_day, credit.until)];
      return from >= until
        ? sum
        : sum - moneyPart(amount_cents, from - from_day, until - from_day, until_day - from_day);
    }, 0);
    if (cents <= 0) return [];
    const code = subject.slice(`${credit.subject} coupon `.length);
    const description = `Coupon ${code}: ${credit.description}`;
    return [{ ...credit, kind: 'Discount', subject, cents, description }];
  });
}
