// What further addresses add to the monthly bill of a service, by its plan.
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingV2 } from '#contract/v2/pricing.ts';
import { moneyText } from '#lib/money.ts';
import { dayMs, dayOf } from '#lib/time.ts';
import { holdingsOfAccount } from '#store/network/netblock-holdings.ts';
import type { Context } from '../app.ts';
import { countHeldOn, monthlyAddressCents } from '../billing/addresses.ts';
import { currentTerms, ownService } from './own-service.ts';

const ipv4Bits = 32;

export async function netblockPrice(
  context: Context,
  { service: id, type, size }: InputOf<typeof pricingV2.netblockPrice>,
): Promise<{ price: string }> {
  const service = await ownService(context, id);
  const { current } = await currentTerms(context, service);
  if (current === undefined || type === 'ipv6') return { price: moneyText(0) };
  const today = dayOf(context.app.clock.now());
  const all = await holdingsOfAccount(context.queries, service.account_id, today * dayMs, (today + 1) * dayMs);
  const held = countHeldOn(
    all.filter(({ service_id }) => service_id === id),
    today,
  );
  const requested = 2 ** (ipv4Bits - Number(size.slice(1)));
  const price = monthlyAddressCents(current, held + requested) - monthlyAddressCents(current, held);
  return { price: moneyText(price) };
}
