// The price of a service, and its part of the next invoice, by the same code that bills it.
import type { Static } from 'typebox';
import type { DevicePrice } from '#contract/shapes/device-facts.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountFind } from '#store/billing/billing-accounts.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import type { Queries } from '#store/store.ts';
import type { Context } from '../app.ts';
import { serviceOf } from '../services/services.ts';
import { measureAccount } from './measure.ts';
import { billedPeriods, computeBill } from './run.ts';
import { getBillingSettings } from './settings.ts';

type Price = Static<typeof DevicePrice>;

export async function servicePrice(context: Context, id: number): Promise<Price> {
  const { queries, caller, app } = context;
  const service = await serviceOf(context, id);
  const today = dayOf(app.clock.now());
  const terms = await termsOfService(queries, caller.account, service.id);
  // The current one, or the first if the service has not begun yet.
  const term = terms.find(({ until_day }) => until_day === null || until_day > today);
  return {
    plan: term?.plan ?? '',
    price: term === undefined ? '' : moneyText(term.price_cents),
    months: term === undefined ? '' : String(term.cycle_months),
    next: await nextInvoice(queries, caller.account, service.id),
  };
}

async function nextInvoice(queries: Queries, account: AccountId, service: number): Promise<Price['next']> {
  const billing = await billingAccountFind(queries, account);
  if (billing?.next_day == null) return { date: '', amount: '', lines: [] };
  const { attacks } = await getBillingSettings(queries);
  const { previous } = billedPeriods(billing, billing.next_day);
  const measured = await measureAccount(queries, account, previous, { attacks }, service);
  const bill = await computeBill(queries, billing, billing.next_day, measured);
  const charges = bill.charges.filter((charge) => charge.service === service);
  return {
    date: dayNumberText(billing.next_day),
    amount: moneyText(charges.reduce((sum, { cents }) => sum + cents, 0)),
    lines: charges.map(({ description, cents }) => ({ description, amount: moneyText(cents) })),
  };
}
