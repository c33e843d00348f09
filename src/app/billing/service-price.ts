// The price of a service, and its part of the next invoice, by the same code that bills it.
import type { Static } from 'typebox';
import type { DevicePrice } from '#contract/shapes/device-facts.ts';
import { moneyText } from '#lib/money.ts';
import { dayOf } from '#lib/time.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { Context } from '../app.ts';
import { serviceOf } from '../services/services.ts';
import { previewInvoice } from './dry-run.ts';

type Price = Static<typeof DevicePrice>;

export async function servicePrice(context: Context, id: number): Promise<Price> {
  const { queries, caller, app } = context;
  const service = await serviceOf(context, id);
  const today = dayOf(app.clock.now());
  const terms = await termsOfService(queries, caller.account, service.id);
  // The current one, or the first if the service has not begun yet. A term that was replaced before it began has no days.
  const term = terms.find(({ from_day, until_day }) => until_day === null || until_day > Math.max(today, from_day));
  const { date, subtotal, lines } = await previewInvoice(queries, caller.account, service.id);
  return {
    plan: term?.plan ?? '',
    price: term === undefined ? '' : moneyText(term.price_cents),
    months: term === undefined ? '' : String(term.cycle_months),
    next: { date, amount: date === '' ? '' : subtotal, lines },
  };
}
