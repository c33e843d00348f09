// New prices for the existing services of a plan, from a day on. They are applied when that day comes; a server that was down
// then applies them later with effect from that day, and the next invoice settles the difference.
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import { conflict } from '#lib/api-error.ts';
import { pauseWork } from '#lib/slices.ts';
import { dayMs, dayNumber, dayOf } from '#lib/time.ts';
import { servicesOfPlan, termsOfService } from '#store/billing/service-terms.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import * as store from '#store/pricing/price-plans.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { setServiceTerms } from '../billing/terms.ts';
import { pricesAfter } from './price-announcements.ts';
import { requirePanelPlan } from './plans.ts';
import type { AccountId } from '#store/account-id.ts';

const servicesAtOnce = 100;
const maxDaysAhead = 730;

/** Replaces a change whose day has not come: after that, some services may already have its prices. */
export async function pricePlanApply(
  { app, queries }: Context,
  { name, from }: InputOf<typeof pricingOperator.pricePlanApply>,
): Promise<void> {
  const { definition } = await requirePanelPlan({ app, queries }, name);
  const now = app.clock.now();
  const day = dayNumber(from);
  if (day === undefined || day < dayOf(now) || day > dayOf(now) + maxDaysAhead)
    throw conflict('The day must be today or later, in the next two years.');
  await store.priceChangesCancel(queries, name, dayOf(now));
  await store.priceChangeInsert(queries, { plan: name, definition, from_day: day, created_at: now, applied_at: null });
}

export async function pricePlanKeep({ app, queries }: Context, name: string): Promise<void> {
  await requirePanelPlan({ app, queries }, name);
  if (!(await store.priceChangesCancel(queries, name, dayOf(app.clock.now()))))
    throw conflict('No price change is planned for this plan on a later day.');
}

/** Repeating it changes nothing, so it can be interrupted. */
export async function applyPriceChanges(app: Pick<App, 'store' | 'clock'>, signal?: AbortSignal): Promise<void> {
  const now = app.clock.now();
  for (const change of await store.priceChangesPending(app.store.queries)) {
    if (change.from_day > dayOf(now)) return;
    const services = await servicesOfPlan(app.store.queries, change.plan, change.from_day);
    for (let index = 0; index < services.length; index += servicesAtOnce) {
      if (signal?.aborted === true) return;
      await app.store.transaction(async (queries) => {
        for (const { account_id, service_id } of services.slice(index, index + servicesAtOnce))
          await applyToService(queries, change, account_id, service_id);
      });
      await pauseWork('outside a transaction');
    }
    await store.priceChangeDone(app.store.queries, change.id, now);
  }
}

async function applyToService(
  queries: Queries,
  change: store.PriceChange,
  account: AccountId,
  service: number,
): Promise<void> {
  await billingAccountLock(queries, account);
  const last = (await termsOfService(queries, account, service)).at(-1);
  if (last === undefined) return;
  const terms = await pricesAfter(queries, last, change);
  if (terms === undefined) return;
  await setServiceTerms(queries, account, service, {
    terms,
    setupCents: 0,
    now: change.from_day * dayMs,
    start: undefined,
    until: last.until_day ?? undefined,
    billDay: undefined,
    origin: last.origin,
    hasOwnPrice: last.own_price === 1,
  });
}
