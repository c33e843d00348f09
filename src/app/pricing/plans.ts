// The plans that services can have: those of the site file, and those that staff edit in the panel. Names are unique over both.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { PricePlan, planFields } from '#contract/shapes/pricing.ts';
import { cycles, type SitePlan, type SitePlanPrices } from '#contract/site/billing.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import * as store from '#store/pricing/price-plans.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { getCurrencySettings } from '../billing/currency/settings.ts';
import { planProblems } from '../billing/site-checks.ts';
import { loadSiteSettings } from '../site/settings.ts';
import { planMachineValues, splitMachine } from './plan-machine.ts';

export interface KnownPlan {
  readonly plan: SitePlan;
  readonly origin: 'site' | 'panel';
  readonly state: store.PricePlan['state'];
}

export async function loadPlans(app: Pick<App, 'secrets'>, queries: Queries): Promise<KnownPlan[]> {
  const ofSite = (await loadSiteSettings(app, queries))?.plans ?? [];
  return [
    ...ofSite.map((plan): KnownPlan => ({ plan, origin: 'site', state: 'Offered' })),
    ...(await store.pricePlanList(queries)).map(panelPlan),
  ];
}

function panelPlan({ definition, state }: store.PricePlan): KnownPlan {
  return { plan: store.planDefinition.decode(definition), origin: 'panel', state };
}

export async function findPlan(
  app: Pick<App, 'secrets'>,
  queries: Queries,
  name: string,
): Promise<KnownPlan | undefined> {
  return (await loadPlans(app, queries)).find(({ plan }) => plan.name === name);
}

/** Returns a plan that new services can have. */
export async function requireOfferedPlan(app: Pick<App, 'secrets'>, queries: Queries, name: string): Promise<SitePlan> {
  const known = await findPlan(app, queries, name);
  if (known?.state !== 'Offered') throw new ApiError('not_in_catalogue', { message: `Plan ${name} is not offered.` });
  return known.plan;
}

export async function pricePlanList({ app, queries }: Context): Promise<Static<typeof PricePlan>[]> {
  const counts = await store.countServicesByPlan(queries, dayOf(app.clock.now()));
  const changes = await store.priceChangesPending(queries);
  const plans = await loadPlans(app, queries);
  const own = (await ownCurrency(queries)) ?? '';
  return plans.map(({ plan, origin, state }) => {
    const next = changes.find((change) => change.plan === plan.name);
    return {
      ...planValues(plan),
      ...planMachineValues(plan),
      currency: plan.currency ?? own,
      prices: (plan.prices ?? []).map((prices) => ({ currency: prices.currency, ...priceValues(prices) })),
      origin,
      state,
      services: String(counts.get(plan.name) ?? 0),
      changefrom: next === undefined ? '' : dayNumberText(next.from_day),
    };
  });
}

async function ownCurrency(queries: Queries): Promise<string | undefined> {
  return (await getCurrencySettings(queries))?.currency;
}

/** Returns the members of a plan as texts; empty if there are none. */
export function planValues(plan: SitePlan): Pick<Static<typeof PricePlan>, keyof typeof planFields> {
  const { name, cycle, minimum, changes = [], bandwidth, addresses, usage = [] } = plan;
  const { usage: usagePrices, ...prices } = priceValues(plan);
  return {
    name,
    ...prices,
    cycle,
    months: String(cycles[cycle]),
    minimum: String(minimum ?? 0),
    changes: [...changes],
    mbits: bandwidth === undefined ? '' : String(bandwidth.committed),
    addresses: addresses === undefined ? '' : String(addresses.included),
    usage: usagePrices.map((price, index) => ({ ...price, included: String(usage[index]!.included) })),
  };
}

function priceValues({ price, hourly = '', setup = '0', bandwidth, addresses, usage = [] }: SitePlan | SitePlanPrices) {
  const money = (text: string | undefined): string => (text === undefined ? '' : moneyText(moneyCents(text)!));
  return {
    price: money(price),
    hourly,
    setup: money(setup),
    mbitprice: money(bandwidth?.price),
    mbitcap: money(bandwidth?.cap),
    addressprice: money(addresses?.price),
    addresscap: money(addresses?.cap),
    usage: usage.map((used) => ({ item: used.item, price: money(used.price), cap: money(used.cap) })),
  };
}

type PlanInput = InputOf<typeof pricingOperator.pricePlanCreate>;

function planOf(input: PlanInput, own: string | undefined): SitePlan {
  const { machine, prices: values } = splitMachine(input);
  const { mbits, mbitprice, mbitcap, addresses, addressprice, addresscap, cycle = 'monthly', ...rest } = values;
  const problems = [
    ...capProblems(input.prices ?? []),
    ...pairProblems(input, 'mbits', 'mbitprice', 'mbitcap'),
    ...pairProblems(input, 'addresses', 'addressprice', 'addresscap'),
  ];
  const plan = pickDefined({
    ...rest,
    machine,
    cycle,
    prices: input.prices?.map(pricesOf),
    bandwidth: mbits === undefined ? undefined : pickDefined({ committed: mbits, price: mbitprice, cap: mbitcap }),
    addresses:
      addresses === undefined ? undefined : pickDefined({ included: addresses, price: addressprice, cap: addresscap }),
  }) as SitePlan;
  problems.push(...planProblems(plan, own));
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
  return plan;
}

type PricesInput = NonNullable<PlanInput['prices']>[number];

function pricesOf({ mbitprice, mbitcap, addressprice, addresscap, ...rest }: PricesInput): SitePlanPrices {
  return pickDefined({
    ...rest,
    bandwidth: mbitprice === undefined ? undefined : pickDefined({ price: mbitprice, cap: mbitcap }),
    addresses: addressprice === undefined ? undefined : pickDefined({ price: addressprice, cap: addresscap }),
  }) as SitePlanPrices;
}

function capProblems(prices: readonly PricesInput[]): [string, string][] {
  return prices
    .filter(
      ({ mbitprice, mbitcap, addressprice, addresscap }) =>
        (mbitprice === undefined && mbitcap !== undefined) || (addressprice === undefined && addresscap !== undefined),
    )
    .map(({ currency }) => ['prices', `must have a price with each cap in ${currency}`]);
}

type PlanMember = keyof PlanInput & string;

/** An amount and its price need each other, and a limit needs both. */
function pairProblems(input: PlanInput, amount: PlanMember, price: PlanMember, cap: PlanMember): [string, string][] {
  const isGiven = (name: PlanMember): boolean => input[name] !== undefined;
  if (isGiven(amount) && !isGiven(price)) return [[price, `is required with ${amount}`]];
  const other = [price, cap].find(isGiven);
  return !isGiven(amount) && other !== undefined ? [[amount, `is required with ${other}`]] : [];
}

export async function pricePlanCreate({ app, queries }: Context, input: PlanInput): Promise<void> {
  const plan = planOf(input, await ownCurrency(queries));
  if ((await findPlan(app, queries, plan.name)) !== undefined)
    throw new ApiError('already_exists', { message: `A plan named ${plan.name} already exists.` });
  if (await store.isPlanUsed(queries, plan.name))
    throw conflict('Services have individual terms under this name. Choose another name.');
  const now = app.clock.now();
  const definition = store.planDefinition.encode(plan);
  await store.pricePlanPut(queries, {
    name: plan.name,
    definition,
    state: 'Offered',
    created_at: now,
    changed_at: now,
  });
}

/** For new services; `pricePlanApply` extends it to existing ones. */
export async function pricePlanUpdate({ app, queries }: Context, input: PlanInput): Promise<void> {
  await requirePanelPlan({ app, queries }, input.name);
  const definition = store.planDefinition.encode(planOf(input, await ownCurrency(queries)));
  await store.pricePlanChange(queries, input.name, { definition, changed_at: app.clock.now() });
}

export async function pricePlanStateSet(
  { app, queries }: Context,
  name: string,
  state: store.PricePlan['state'],
): Promise<void> {
  await requirePanelPlan({ app, queries }, name);
  await store.pricePlanChange(queries, name, { state, changed_at: app.clock.now() });
}

export async function pricePlanDelete({ app, queries }: Context, name: string): Promise<void> {
  await requirePanelPlan({ app, queries }, name);
  if (await store.isPlanUsed(queries, name))
    throw conflict('The plan is or was in use, so invoices need it. Withdraw it instead.');
  await store.pricePlanRemove(queries, name);
}

export async function requirePanelPlan(
  { app, queries }: Pick<Context, 'app' | 'queries'>,
  name: string,
): Promise<store.PricePlan> {
  const plan = await store.pricePlanFind(queries, name);
  if (plan === undefined && (await findPlan(app, queries, name)) !== undefined)
    throw conflict(`Plan ${name} is in the site file. Change it there.`);
  return requireFound(plan, 'Plan not found.');
}
