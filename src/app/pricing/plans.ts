// The plans that services can have: those of the site file, and those that staff edit in the panel. Names are unique over both.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { PricePlan, planFields } from '#contract/shapes/pricing.ts';
import { cycles, type SitePlan } from '#contract/site/billing.ts';
import { ApiError, conflict, invalid, requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { moneyCents, moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import * as store from '#store/pricing/price-plans.ts';
import type { Queries } from '#store/store.ts';
import type { App, Context } from '../app.ts';
import { planProblems } from '../billing/site-checks.ts';
import { loadSiteSettings } from '../site/settings.ts';

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
  if (known?.state !== 'Offered')
    throw new ApiError('not_in_catalogue', { message: `There is no plan ${name} on offer.` });
  return known.plan;
}

export async function pricePlanList({ app, queries }: Context): Promise<Static<typeof PricePlan>[]> {
  const counts = await store.countServicesByPlan(queries, dayOf(app.clock.now()));
  const changes = await store.priceChangesPending(queries);
  const plans = await loadPlans(app, queries);
  return plans.map(({ plan, origin, state }) => {
    const next = changes.find((change) => change.plan === plan.name);
    return {
      ...planValues(plan),
      origin,
      state,
      services: String(counts.get(plan.name) ?? 0),
      changefrom: next === undefined ? '' : dayNumberText(next.from_day),
    };
  });
}

/** Returns the members of a plan as texts; empty if there are none. */
export function planValues(plan: SitePlan): Pick<Static<typeof PricePlan>, keyof typeof planFields> {
  const { name, cycle, minimum, changes = [], bandwidth, addresses, usage = [], hourly = '' } = plan;
  const money = (price: string | undefined): string => (price === undefined ? '' : moneyText(moneyCents(price)!));
  return {
    name,
    price: money(plan.price),
    hourly,
    setup: money(plan.setup ?? '0'),
    cycle,
    months: String(cycles[cycle]),
    minimum: String(minimum ?? 0),
    changes: [...changes],
    mbits: bandwidth === undefined ? '' : String(bandwidth.committed),
    mbitprice: money(bandwidth?.price),
    mbitcap: money(bandwidth?.cap),
    addresses: addresses === undefined ? '' : String(addresses.included),
    addressprice: money(addresses?.price),
    addresscap: money(addresses?.cap),
    usage: usage.map(({ item, included, price, cap }) => ({
      item,
      included: String(included),
      price: money(price),
      cap: money(cap),
    })),
  };
}

type PlanInput = InputOf<typeof pricingOperator.pricePlanCreate>;

function planOf(input: PlanInput): SitePlan {
  const { mbits, mbitprice, mbitcap, addresses, addressprice, addresscap, usage, cycle = 'monthly', ...rest } = input;
  const problems = [
    ...pairProblems(input, 'mbits', 'mbitprice', 'mbitcap'),
    ...pairProblems(input, 'addresses', 'addressprice', 'addresscap'),
  ];
  const plan = pickDefined({
    ...rest,
    cycle,
    usage,
    bandwidth: mbits === undefined ? undefined : pickDefined({ committed: mbits, price: mbitprice, cap: mbitcap }),
    addresses:
      addresses === undefined ? undefined : pickDefined({ included: addresses, price: addressprice, cap: addresscap }),
  }) as SitePlan;
  problems.push(...planProblems(plan));
  if (problems.length > 0) throw invalid(Object.fromEntries(problems));
  return plan;
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
  const plan = planOf(input);
  if ((await findPlan(app, queries, plan.name)) !== undefined)
    throw new ApiError('already_exists', { message: `There is a plan ${plan.name} already.` });
  if (await store.isPlanUsed(queries, plan.name))
    throw conflict('Services have terms of this name, which were agreed for them. Choose another name.');
  await putPlan({ app, queries }, plan, 'Offered');
}

/** For new services; `pricePlanApply` extends it to existing ones. */
export async function pricePlanUpdate({ app, queries }: Context, input: PlanInput): Promise<void> {
  const { state } = await requirePanelPlan({ app, queries }, input.name);
  await putPlan({ app, queries }, planOf(input), state);
}

export async function pricePlanStateSet(
  { app, queries }: Context,
  name: string,
  state: store.PricePlan['state'],
): Promise<void> {
  const { definition } = await requirePanelPlan({ app, queries }, name);
  await putPlan({ app, queries }, store.planDefinition.decode(definition), state);
}

async function putPlan(
  { app, queries }: Pick<Context, 'app' | 'queries'>,
  plan: SitePlan,
  state: store.PricePlan['state'],
): Promise<void> {
  const now = app.clock.now();
  const definition = store.planDefinition.encode(plan);
  await store.pricePlanPut(queries, { name: plan.name, definition, state, created_at: now, changed_at: now });
}

export async function pricePlanDelete({ app, queries }: Context, name: string): Promise<void> {
  await requirePanelPlan({ app, queries }, name);
  if (await store.isPlanUsed(queries, name))
    throw conflict('Services have or had this plan, so it stays for their invoices. Withdraw it instead.');
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
