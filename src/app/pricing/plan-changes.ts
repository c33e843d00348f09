// Changes of plan: customers choose among the plans that theirs names, and staff among all. The change applies at once, and the
// next invoice settles the difference by the day or hour.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { pricingV2 } from '#contract/v2/pricing.ts';
import type { DevicePlan, InvoicePreview } from '#contract/shapes/pricing.ts';
import type { SitePlan } from '#contract/site/billing.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import { dayNumberText, dayOf, hourOf } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import type { ServiceTerm } from '#store/billing/service-terms.ts';
import type { Service } from '#store/devices/services.ts';
import { runAndRollBack } from '#store/engine/rehearsal.ts';
import { cancellationFind } from '#store/pricing/cancellations.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { plansInCurrencyOf, requirePlanPrices } from '../billing/currency/plan-prices.ts';
import { previewInvoice } from '../billing/dry-run.ts';
import { hourPriceText, monthlyCents, termsOf, type Terms } from '../billing/plan-terms.ts';
import { setServiceTerms } from '../billing/terms.ts';
import { isMachine } from '../services/services.ts';
import { boundUntil } from './minimum-terms.ts';
import { anyService, currentTerms, holdBilling, ownService } from './own-service.ts';
import { comingPrices, endWithRights, type ComingPrices } from './price-announcements.ts';
import { loadPlans, planValues, requireOfferedPlan } from './plans.ts';

const noPlan = { plan: '', price: '', hourly: '', months: '', minimumto: '', earliestend: '' } as const;

export async function devicePlanGet(context: Context, id: number): Promise<Static<typeof DevicePlan>> {
  const { queries, app } = context;
  const service = await ownService(context, id);
  const { terms, current } = await currentTerms(context, service);
  const cancellation = await cancellationFind(queries, service.account_id, id);
  const cancelled = {
    cancelledto: cancellation === undefined ? '' : dayNumberText(cancellation.until_day - 1),
    cancelledby: cancellation?.requested_by ?? ('' as const),
  };
  if (current === undefined) return { ...noPlan, ...changeValues(undefined), ...cancelled, changes: [] };
  const today = dayOf(app.clock.now());
  const minimum = boundUntil(terms, current, today);
  return {
    plan: current.plan,
    price: moneyText(current.price_cents),
    hourly: current.hour_price === null ? '' : hourPriceText(current.hour_price),
    months: String(current.cycle_months),
    minimumto: minimum === undefined ? '' : dayNumberText(minimum - 1),
    earliestend: dayNumberText((await endWithRights(queries, service.account_id, terms, current, today)) - 1),
    ...changeValues(await comingPrices(queries, current)),
    ...cancelled,
    changes: (await plansToChangeTo(context, terms, current)).map(planValues),
  };
}

function changeValues(coming: ComingPrices | undefined) {
  if (coming === undefined) return { changefrom: '', changeprice: '', changehourly: '' };
  const { price_cents, hour_price } = coming.prices;
  return {
    changefrom: dayNumberText(coming.from_day),
    changeprice: moneyText(price_cents),
    changehourly: hour_price === null ? '' : hourPriceText(hour_price),
  };
}

/** In the account's currency. Before the end of a minimum term, only plans that cost at least as much. */
export async function plansToChangeTo(
  { app, queries }: Pick<Context, 'app' | 'queries'>,
  terms: readonly ServiceTerm[],
  current: ServiceTerm,
): Promise<SitePlan[]> {
  const plans = await loadPlans(app, queries);
  const names = plans.find(({ plan }) => plan.name === current.plan)?.plan.changes ?? [];
  const isBound = boundUntil(terms, current, dayOf(app.clock.now())) !== undefined;
  const inCurrency = await plansInCurrencyOf(queries, current.account_id);
  return plans
    .filter(({ plan, state }) => state === 'Offered' && names.includes(plan.name) && plan.name !== current.plan)
    .flatMap(({ plan }) => inCurrency(plan) ?? [])
    .filter((plan) => !isBound || monthlyCents(termsOf(plan)) >= monthlyCents(current));
}

/** Throws if the last change has not begun: a second one would undo it, and what was used since would cost nothing. */
export function requireNoComingChange(
  { app }: Pick<Context, 'app'>,
  terms: readonly ServiceTerm[],
  { from_day, from_hour }: ServiceTerm,
): void {
  const now = app.clock.now();
  if (terms.length > 1 && (from_day > dayOf(now) || (from_hour ?? 0) > hourOf(now)))
    throw conflict(
      'The last change of plan has not taken effect yet. Try again tomorrow, or in an hour if the plan is billed hourly.',
    );
}

export async function devicePlanSet(
  context: Context,
  { service: id, plan: name }: InputOf<typeof pricingV2.devicePlanSet>,
): Promise<void> {
  const service = await holdBilling(context, ownService, id);
  const plan = await requireAllowedPlan(context, service, name);
  if (plan.machine !== undefined && isMachine(service))
    throw conflict('The plan has a different size. Resize the machine instead, which also changes its plan.');
  const previous = await changePlan(context, service, plan, 'customer');
  context.emit('service.plan.changed', { plan: name, previous }, id);
}

async function requireAllowedPlan(context: Context, service: Service, name: string): Promise<SitePlan> {
  // Of two changes at once, the second is checked against the plan of the first, or would end its minimum term.
  await billingAccountLock(context.queries, service.account_id);
  const { terms, current } = await currentTerms(context, service);
  if (current !== undefined) requireNoComingChange(context, terms, current);
  const allowed = current === undefined ? [] : await plansToChangeTo(context, terms, current);
  const plan = allowed.find((candidate) => candidate.name === name);
  if (plan === undefined)
    throw new ApiError('not_in_catalogue', { message: 'The service cannot change to this plan. Choose another one.' });
  return plan;
}

export async function servicePlanSet(
  context: Context,
  { id, plan: name, price }: InputOf<typeof pricingOperator.servicePlanSet>,
): Promise<void> {
  const { app, queries } = context;
  const service = await holdBilling(context, anyService, id);
  const plan = await requireOfferedPlan(app, queries, name);
  const previous = await changePlan(context, service, plan, 'staff', price);
  context.onBehalfOf(service.account_id).emit('service.plan.changed', { plan: name, previous }, id);
}

/** Returns the name of the plan before; empty if there was none. */
async function changePlan(
  { queries, app }: Context,
  service: Service,
  plan: SitePlan,
  by: PlanChange['by'],
  price?: string,
): Promise<string> {
  const account = service.account_id;
  if ((await cancellationFind(queries, account, service.id)) !== undefined)
    throw conflict('The service is cancelled. Withdraw the cancellation first.');
  const terms = termsOf(await requirePlanPrices(queries, account, plan), price);
  return setPlanTerms(app, queries, service, terms, { by, hasOwnPrice: price !== undefined });
}

interface PlanChange {
  readonly by: 'customer' | 'staff';
  readonly hasOwnPrice: boolean;
}

/** Changes the terms from now on; a service that is cancelled still ends then. Returns the name of the plan before, or ''. */
export async function setPlanTerms(
  app: App,
  queries: Queries,
  service: Service,
  terms: Terms,
  { by, hasOwnPrice }: PlanChange,
): Promise<string> {
  const account = service.account_id;
  const { bill_day } = await billingAccountLock(queries, account);
  const { current } = await currentTerms({ queries, app }, service);
  await setServiceTerms(queries, account, service.id, {
    terms,
    setupCents: 0,
    now: app.clock.now(),
    start: undefined,
    until: current?.until_day ?? undefined,
    billDay: bill_day === 0 ? undefined : bill_day,
    origin: 'order',
    hasOwnPrice,
    isByCustomer: by === 'customer',
  });
  return current?.plan ?? '';
}

/** Changes the plan, computes the next invoice, and rolls back. */
export async function devicePlanPreview(
  context: Context,
  { service: id, plan: name }: InputOf<typeof pricingV2.devicePlanPreview>,
): Promise<Static<typeof InvoicePreview>> {
  return rehearse(context, async (rehearsal) => {
    const service = await holdBilling(rehearsal, ownService, id);
    await changePlan(rehearsal, service, await requireAllowedPlan(rehearsal, service, name), 'customer');
    return previewInvoice(rehearsal.queries, service.account_id, id);
  });
}

function rehearse<T>(context: Context, run: (rehearsal: Context) => Promise<T>): Promise<T> {
  return context.app.store.transaction((queries: Queries) =>
    runAndRollBack(queries, () => {
      const rehearsal: Context = { ...context, queries, onBehalfOf: () => rehearsal };
      return run(rehearsal);
    }),
  );
}
