// Charges for metered usage other than rates and addresses, in arrears: traffic by its amount, and what is stored by its size at
// the end of each day.
import { usageUnits, type UsageItem } from '#contract/site/billing.ts';
import { moneyPart, moneyText } from '#lib/money.ts';
import { usagePrices, type ServiceTerm, type UsagePrice } from '#store/billing/service-terms.ts';
import { usageOfAccount, type Usage } from '#store/pricing/usage.ts';
import type { Period } from './billing-periods.ts';
import { createCaps, spanText, termTitle } from './charges.ts';
import type { BillContext, Charge, ChargesOfKind, PricedDays } from './charges.ts';
import { findKeptVolumes } from './kept-volumes.ts';
import type { Measurement } from './measure.ts';

/** Quantities are thousandths of a unit. */
const unit = 1000;

export async function usageCharges(context: BillContext): Promise<ChargesOfKind> {
  const { queries, account, period, previous } = context;
  const usage = await usageOfAccount(queries, account, { from: previous.from, until: period.until });
  const kept = await findKeptVolumes(context, usage);
  const limit = createCaps();
  const charges = [...daysOfTerms(context), ...kept].flatMap(({ title, term, price, ...days }): Charge[] => {
    const from = Math.max(previous.from, days.from);
    const until = Math.min(previous.until, days.until);
    if (from >= until) return [];
    const { cents, text } =
      price.item === 'traffic'
        ? trafficCost(context, term, price)
        : storageCost(context, price, { from, until }, (day) => quantityOn(usage, term, price.item, day));
    return [
      {
        kind: 'Usage',
        subject: `term ${term.id} ${price.item}`,
        service: term.service_id,
        from,
        until,
        cents: limit(`${term.service_id} ${price.item}`, cents, price.capCents),
        description: `${title}, ${spanText(from, until)}: ${text}`,
      },
    ];
  });
  return {
    charges: charges.filter(({ cents }) => cents !== 0),
    // While a service has a term, its hosting continues billing.
    continues: kept.some(({ term, price, ...days }) => {
      const from = Math.max(period.from, days.from);
      const until = Math.min(period.until, days.until);
      return daysBetween({ from, until }).some((day) => quantityOn(usage, term, price.item, day) > 0);
    }),
  };
}

function daysOfTerms({ terms, services }: BillContext): PricedDays[] {
  return terms.flatMap((term) => {
    const days = { title: termTitle(term, services), term, from: term.from_day, until: term.until_day ?? Infinity };
    return usagePrices.decode(term.usage_prices).map((price) => ({ ...days, price }));
  });
}

/** The days of the term have their share of what is included. */
function trafficCost({ measured, previous }: BillContext, term: ServiceTerm, price: UsagePrice) {
  const measurement = measured.find((candidate) => candidate.term === term.id);
  const days = (measurement?.until ?? 0) - (measurement?.from ?? 0);
  const included = Math.floor((price.included * unit * days) / (previous.until - previous.from));
  const used = trafficOf(measurement);
  const above = Math.max(0, used - included);
  return { cents: moneyPart(price.priceCents * above, 0, 1, unit), text: usageText(price, used, included, above) };
}

function trafficOf(measurement: Measurement | undefined): number {
  const bytesPerPart = 1e9;
  return Math.round((measurement?.bytes ?? 0) / bytesPerPart);
}

/** Each day costs its share of the monthly price. */
function storageCost(
  { previous }: BillContext,
  price: UsagePrice,
  days: Period,
  quantityOfDay: (day: number) => number,
) {
  const whole = previous.until - previous.from;
  const included = price.included * unit;
  let [used, above] = [0, 0];
  for (const day of daysBetween(days)) {
    const quantity = quantityOfDay(day);
    used += quantity;
    above += Math.max(0, quantity - included);
  }
  const average = (sum: number): number => Math.round(sum / whole);
  return {
    cents: moneyPart(price.priceCents * above, 0, 1, unit * whole),
    text: usageText(price, average(used), included, average(above)),
  };
}

function daysBetween({ from, until }: Period): number[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => from + index);
}

function quantityOn(usage: readonly Usage[], term: ServiceTerm, item: string, day: number): number {
  const ofItem = usage.findLast((row) => row.service_id === term.service_id && row.item === item && row.day <= day);
  return ofItem?.quantity ?? 0;
}

/** For example "backups 12.500 GB, 2.500 above 10.000 at 0.05". */
function usageText({ item, priceCents }: UsagePrice, used: number, included: number, above: number): string {
  const quantity = (parts: number): string => (parts / unit).toFixed(3);
  return `${item} ${quantity(used)} ${usageUnits[item as UsageItem]}, ${quantity(above)} above ${quantity(included)} at ${moneyText(priceCents)}`;
}
