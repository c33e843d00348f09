// Records metered quantities, for meters outside of Hostyard.
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import { invalid } from '#lib/api-error.ts';
import { dayNumber, dayOf } from '#lib/time.ts';
import { usagePut } from '#store/pricing/usage.ts';
import type { Context } from '../app.ts';
import { anyService } from './own-service.ts';

const thousandths = 1000;

export async function usageRecord(
  context: Context,
  { id, item, quantity, date }: InputOf<typeof pricingOperator.usageRecord>,
): Promise<void> {
  const service = await anyService(context, id);
  const today = dayOf(context.app.clock.now());
  const day = date === undefined ? today : dayNumber(date);
  if (day === undefined || day > today) throw invalid({ date: 'must be today or an earlier day' });
  const owner = { account_id: service.account_id, service_id: id };
  await usagePut(context.queries, { ...owner, item, day, quantity: Math.round(Number(quantity) * thousandths) });
  context.onBehalfOf(service.account_id);
}
