// The prices of a plan in the currency of an account. What a plan includes is the same in all of its currencies, and so are the
// kinds of prices that it has: a missing one would be a service for nothing.
import type { SitePlan, SitePlanPrices } from '#contract/site/billing.ts';
import type { Site } from '#contract/site/site.ts';
import { conflict } from '#lib/api-error.ts';
import { hasTwoDecimals } from '#lib/currency.ts';
import { moneyCents } from '#lib/money.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import type { Queries } from '#store/store.ts';
import type { SiteProblem } from '../../site/site-problem.ts';
import { getCurrencySettings } from './settings.ts';

/** Returns the plan with its prices in this currency; undefined if it has none. `own` is the provider's currency. */
export function planIn(plan: SitePlan, currency: string, own: string): SitePlan | undefined {
  const { prices = [], ...rest } = plan;
  if ((plan.currency ?? own) === currency) return rest;
  const found = prices.find((candidate) => candidate.currency === currency);
  if (found === undefined) return undefined;
  const { bandwidth, addresses, usage = [], hourly: _hourly, setup: _setup, ...base } = rest;
  const { bandwidth: mbit, addresses: address, usage: items = [], ...others } = found;
  return {
    ...base,
    ...others,
    ...(bandwidth && mbit && { bandwidth: { committed: bandwidth.committed, ...mbit } }),
    ...(addresses && address && { addresses: { included: addresses.included, ...address } }),
    ...(usage.length > 0 && {
      usage: usage.flatMap(({ item, included }) => {
        const price = items.find((candidate) => candidate.item === item);
        return price === undefined ? [] : [{ ...price, included }];
      }),
    }),
  };
}

/** Returns a function that does the same for the currency of an account. */
export async function plansInCurrencyOf(
  queries: Queries,
  account: AccountId,
): Promise<(plan: SitePlan) => SitePlan | undefined> {
  const currency = (await accountFind(queries, account))?.currency ?? '';
  const own = (await getCurrencySettings(queries))?.currency ?? currency;
  return (plan) => planIn(plan, currency, own);
}

/** Returns the plan with its prices in the currency of the account. Throws if it has none. */
export async function requirePlanPrices(queries: Queries, account: AccountId, plan: SitePlan): Promise<SitePlan> {
  const found = (await plansInCurrencyOf(queries, account))(plan);
  if (found !== undefined) return found;
  const currency = (await accountFind(queries, account))?.currency;
  throw conflict(`Plan ${plan.name} has no prices in ${currency}, the currency of the account. Choose another plan.`);
}

/** Returns what is wrong with the currencies of a plan. */
export function currencyProblems(plan: SitePlan, own: string | undefined): ['currency' | 'prices', string][] {
  const { currency = own, prices = [] } = plan;
  const problems: ['currency' | 'prices', string][] = [];
  if (plan.currency !== undefined && !hasTwoDecimals(plan.currency)) problems.push(['currency', decimals]);
  const codes = [currency, ...prices.map((price) => price.currency)];
  const twice = codes.find((code, index) => codes.indexOf(code) < index);
  if (twice !== undefined) problems.push(['prices', `must list each currency once; ${twice} is listed twice`]);
  const odd = prices.find((price) => !hasTwoDecimals(price.currency));
  if (odd !== undefined) problems.push(['prices', `${odd.currency} ${decimals}`]);
  const expected = kindsOf(plan);
  for (const price of prices) {
    const given = kindsOf(price);
    const missing = expected.filter((kind) => !given.includes(kind));
    const extra = given.filter((kind) => !expected.includes(kind));
    if (missing.length > 0) problems.push(['prices', `must also have ${missing.join(', ')} in ${price.currency}`]);
    if (extra.length > 0)
      problems.push(['prices', `must not have ${extra.join(', ')} in ${price.currency}, which the plan does not have`]);
  }
  return problems;
}
const decimals = 'must have two decimals: amounts are stored in hundredths';

function kindsOf({ hourly, setup = '0', bandwidth, addresses, usage = [] }: SitePlan | SitePlanPrices): string[] {
  const kinds: Readonly<Record<string, string | undefined>> = {
    hourly,
    setup: moneyCents(setup) === 0 ? undefined : setup,
    bandwidth: bandwidth?.price,
    'cap of bandwidth': bandwidth?.cap,
    addresses: addresses?.price,
    'cap of addresses': addresses?.cap,
    ...Object.fromEntries(
      usage.flatMap(({ item, price, cap }) => [
        [item, price],
        [`cap of ${item}`, cap],
      ]),
    ),
  };
  return Object.keys(kinds).filter((kind) => kinds[kind] !== undefined);
}

/** A plan has prices in the currency of every customer who has it. */
export function* checkPlanCurrencies({
  provider,
  plans = [],
  customers = [],
  services = [],
}: Site): Iterable<SiteProblem> {
  const { code } = provider.currency;
  const byName = new Map(plans.map((plan) => [plan.name, plan]));
  const ofCustomers = new Map(customers.map(({ id, currency = code }) => [id, currency]));
  for (const [index, { plan: name = '', customer }] of services.entries()) {
    const plan = byName.get(name);
    const currency = ofCustomers.get(customer);
    if (plan !== undefined && currency !== undefined && planIn(plan, currency, code) === undefined)
      yield [
        ['services', index, 'plan'],
        `plan ${name} has no prices in ${currency}, the currency of customer ${customer}; add them under prices, or choose another plan`,
      ];
  }
}
