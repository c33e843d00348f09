// Announces new prices to the customers of a plan, with their right to cancel, and notifies them if staff withdraw the change.
// Each event is written with the row that records it, so it is neither lost nor repeated.
import { appendEvent } from '#events/append.ts';
import { moneyText } from '#lib/money.ts';
import { pauseWork } from '#lib/slices.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { billingAccountFind, billingAccountLock } from '#store/billing/billing-accounts.ts';
import { servicesOfPlan, termsOfService, type ServiceTerm } from '#store/billing/service-terms.ts';
import { serviceFind } from '#store/devices/services.ts';
import * as notices from '#store/pricing/price-notices.ts';
import { planDefinition, priceChangesPending, type PriceChange } from '#store/pricing/price-plans.ts';
import type { AccountId } from '#store/account-id.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { plansInCurrencyOf } from '../billing/currency/plan-prices.ts';
import { hourPriceText, termsOf, type Terms } from '../billing/plan-terms.ts';
import { earliestEnd } from './minimum-terms.ts';

const pageSize = 100;

type Parts = Pick<App, 'store' | 'clock' | 'queue'>;
type Prices = Pick<ServiceTerm, keyof Terms>;

export async function announcePriceChanges(app: Parts, signal?: AbortSignal): Promise<void> {
  const { queries } = app.store;
  for (const change of await priceChangesPending(queries)) {
    const notified = await notices.servicesNotified(queries, change.id);
    for (const { account_id, service_id } of await servicesOfPlan(queries, change.plan, change.from_day)) {
      if (signal?.aborted === true) return;
      if (notified.has(service_id)) continue;
      await app.store.transaction((work) => announce(app, work, change, account_id, service_id));
      await pauseWork('outside a transaction');
    }
  }
  for (;;) {
    const withdrawn = await notices.priceNoticesWithoutChange(queries, pageSize);
    for (const notice of withdrawn) {
      if (signal?.aborted === true) return;
      await app.store.transaction((work) => announceWithdrawal(app, work, notice));
    }
    if (withdrawn.length < pageSize) return;
  }
}

async function announce(
  app: Parts,
  queries: Queries,
  { id: change_id, plan, from_day, definition }: PriceChange,
  account: AccountId,
  service: number,
): Promise<void> {
  await billingAccountLock(queries, account);
  // Staff may have withdrawn it since it was listed.
  if (!(await priceChangesPending(queries)).some(({ id }) => id === change_id)) return;
  const terms = await termsOfService(queries, account, service);
  const current = terms.at(-1);
  if (current === undefined) return;
  const future = await pricesAfter(queries, current, { plan, from_day, definition });
  const status = (await serviceFind(queries, account, service))?.status;
  if (future === undefined || status === undefined || status === 'Terminated') return;
  const sent_at = app.clock.now();
  const notice = { change_id, service_id: service, account_id: account, plan, from_day, sent_at, withdrawn_at: null };
  if (!(await notices.priceNoticeInsert(queries, notice))) return;
  const data = {
    plan,
    from: dayNumberText(from_day),
    oldprice: moneyText(current.price_cents),
    newprice: moneyText(future.price_cents),
    oldhourly: hourlyText(current),
    newhourly: hourlyText(future),
    other: otherChanges(current, future),
    lastday: dayNumberText((await endWithRights(queries, account, terms, current, dayOf(sent_at))) - 1),
  };
  await appendEvent(app, queries, { account, service, type: 'service.price.announced', data });
}

async function announceWithdrawal(app: Parts, queries: Queries, notice: notices.PriceNotice): Promise<void> {
  const { account_id: account, service_id: service, plan, from_day } = notice;
  await billingAccountLock(queries, account);
  if (!(await notices.priceNoticeWithdraw(queries, notice, app.clock.now()))) return;
  // The announcement of the change that replaced it says everything.
  if (await notices.hasLaterPriceNotice(queries, account, notice)) return;
  const data = { plan, from: dayNumberText(from_day) };
  await appendEvent(app, queries, { account, service, type: 'service.price.kept', data });
}

/** Returns the prices that the change gives to a service, or undefined if it changes nothing for it. */
export async function pricesAfter(
  queries: Queries,
  current: ServiceTerm,
  { plan, from_day, definition }: Pick<PriceChange, 'plan' | 'from_day' | 'definition'>,
): Promise<Terms | undefined> {
  if (current.plan !== plan || (current.until_day !== null && current.until_day <= from_day)) return undefined;
  const changed = (await plansInCurrencyOf(queries, current.account_id))(planDefinition.decode(definition));
  // The plan is no longer sold in the account's currency, so the service keeps its prices.
  if (changed === undefined) return undefined;
  const terms = termsOf(changed);
  const future = current.own_price === 1 ? { ...terms, price_cents: current.price_cents } : terms;
  const isSame = Object.entries(future).every(([name, value]) => current[name as keyof Terms] === value);
  return isSame ? undefined : future;
}

export interface ComingPrices {
  readonly from_day: number;
  readonly prices: Terms;
}

/** Returns the next prices of a service, if a change is planned. */
export async function comingPrices(queries: Queries, current: ServiceTerm): Promise<ComingPrices | undefined> {
  const change = (await priceChangesPending(queries)).find(({ plan }) => plan === current.plan);
  const prices = change && (await pricesAfter(queries, current, change));
  return prices && { from_day: change.from_day, prices };
}

/** Returns the day after the last one: customers need not stay for higher prices, whatever the minimum term. */
export async function endWithRights(
  queries: Queries,
  account: AccountId,
  terms: readonly ServiceTerm[],
  current: ServiceTerm,
  today: number,
): Promise<number> {
  const billDay = (await billingAccountFind(queries, account))?.bill_day || 1;
  const regular = earliestEnd(terms, current, today, billDay);
  const coming = await comingPrices(queries, current);
  if (coming === undefined || coming.from_day <= today || !canCostMore(current, coming.prices)) return regular;
  return Math.min(regular, Math.max(coming.from_day, current.from_day));
}

/** Every change other than the price counts, because the cost depends on the usage. */
function canCostMore(current: Prices, future: Prices): boolean {
  const perMonth = ({ price_cents, cycle_months }: Prices): number => price_cents / cycle_months;
  if (otherChanges(current, future).length > 0) return true;
  return perMonth(future) > perMonth(current) || (future.hour_price ?? 0) > (current.hour_price ?? 0);
}

const groups = {
  cycle: ['cycle_months'],
  minimum: ['min_months'],
  bandwidth: ['committed_mbits', 'mbit_price_cents', 'mbit_cap_cents'],
  addresses: ['addresses_included', 'address_price_cents', 'address_cap_cents'],
  usage: ['usage_prices'],
} as const;

function otherChanges(current: Prices, future: Prices): (keyof typeof groups)[] {
  return (Object.keys(groups) as (keyof typeof groups)[]).filter((group) =>
    groups[group].some((name) => current[name] !== future[name]),
  );
}

function hourlyText({ hour_price }: Pick<Prices, 'hour_price'>): string {
  return hour_price === null ? '' : hourPriceText(hour_price);
}
