// The columns of a service's terms that follow from its plan.
import { cycles, type SitePlan } from '#contract/site/billing.ts';
import { moneyCents } from '#lib/money.ts';
import { usagePrices } from '#store/billing/service-terms.ts';

export type Terms = ReturnType<typeof termsOf>;

/** `price` is the one of a service that does not pay the plan's. */
export function termsOf(plan: SitePlan, price = plan.price) {
  const { bandwidth, addresses, usage = [] } = plan;
  return {
    plan: plan.name,
    price_cents: moneyCents(price)!,
    cycle_months: cycles[plan.cycle] as number,
    committed_mbits: bandwidth?.committed ?? null,
    mbit_price_cents: moneyCents(bandwidth?.price ?? '0')!,
    mbit_cap_cents: optionalCents(bandwidth?.cap) ?? null,
    addresses_included: addresses?.included ?? 0,
    address_price_cents: moneyCents(addresses?.price ?? '0')!,
    address_cap_cents: optionalCents(addresses?.cap) ?? null,
    hour_price: plan.hourly === undefined ? null : hourPriceOf(plan.hourly),
    min_months: plan.minimum ?? 0,
    usage_prices: usagePrices.encode(
      usage.map(({ item, included, price: unitPrice, cap }) => {
        const capCents = optionalCents(cap);
        return { item, included, priceCents: moneyCents(unitPrice)!, ...(capCents === undefined ? {} : { capCents }) };
      }),
    ),
  };
}

export function monthlyCents({ price_cents, cycle_months }: Pick<Terms, 'price_cents' | 'cycle_months'>): number {
  return price_cents / cycle_months;
}

function optionalCents(price: string | undefined): number | undefined {
  return price === undefined ? undefined : moneyCents(price);
}

/** Returns hundredths of a cent. */
function hourPriceOf(price: string): number {
  const [whole, decimals = ''] = price.split('.');
  return Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'));
}

export function hourPriceText(hundredths: number): string {
  return `${Math.floor(hundredths / 10_000)}.${String(hundredths % 10_000).padStart(4, '0')}`;
}
