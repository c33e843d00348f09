// Checks the plans, taxes and billing settings of a site file beyond the schema.
import type { SitePlan } from '#contract/site/billing.ts';
import type { Site } from '#contract/site/site.ts';
import { hookSecret } from '#lib/hook-signature.ts';
import { parseReference } from '../site/secrets.ts';
import { checkPlanCurrencies, currencyProblems } from './currency/plan-prices.ts';
import { checkCurrencies } from './currency/settings.ts';
import { checkInvoiceDelivery } from './delivery/settings.ts';
import { defaultElectronicCountries } from './invoice-parties.ts';
import { checkPayments } from '../payments/settings.ts';
import { checkSepa } from '../payments/sepa/settings.ts';
import { checkTax } from './tax/settings.ts';
import type { SiteProblem } from '../site/site-problem.ts';

export function* checkBilling(site: Site): Iterable<SiteProblem> {
  const { provider, plans = [], taxes = [], billing, services = [] } = site;
  yield* checkTax(site);
  yield* checkPayments(site);
  yield* checkSepa(site);
  yield* checkCurrencies(site);
  yield* checkPlanCurrencies(site);
  yield* checkInvoiceDelivery(site);
  if (billing?.creditNoteNumbers !== undefined && billing.creditNoteNumbers === billing.numbers)
    yield [['billing', 'creditNoteNumbers'], 'creditNoteNumbers must differ from numbers; leave it out to share them'];
  yield* checkSeller(provider.seller, taxes);
  for (const [index, { name }] of repeated(plans, 'name'))
    yield [['plans', index, 'name'], `plan ${name} is defined twice; give each plan its own name`];
  for (const [index, plan] of plans.entries())
    for (const [member, problem] of planProblems(plan, provider.currency.code))
      yield [['plans', index, member], problem];
  for (const [index, { country }] of repeated(taxes, 'country'))
    yield [['taxes', index, 'country'], `the tax for ${country} is defined twice; list each country once`];
  const names = new Set(plans.map(({ name }) => name));
  for (const [index, { plan, price, start, end }] of services.entries()) {
    const path = ['services', index];
    if (plan !== undefined && !names.has(plan)) yield [[...path, 'plan'], `unknown plan ${plan}; add it under plans`];
    if (plan === undefined && price !== undefined) yield [[...path, 'price'], 'price needs plan'];
    if (start !== undefined && end !== undefined && end < start)
      yield [[...path, 'end'], 'end must not be before start'];
  }
  const hooks = billing?.hooks ?? [];
  for (const [index, { name }] of repeated(hooks, 'name'))
    yield [['billing', 'hooks', index, 'name'], `hook ${name} is defined twice; give each hook its own name`];
  for (const [index, { secret }] of hooks.entries())
    if (parseReference(secret) === undefined && hookSecret(secret) === undefined)
      yield [['billing', 'hooks', index, 'secret'], 'secret must be whsec_ followed by at least 16 bytes in base64'];
}

/** Returns what the schema cannot express about a plan, by member. `own` is the provider's currency. */
export function planProblems(plan: SitePlan, own?: string): [keyof SitePlan, string][] {
  const { hourly, cycle, usage = [], prices = [] } = plan;
  const problems: [keyof SitePlan, string][] = currencyProblems(plan, own);
  if (hourly !== undefined && cycle !== 'monthly')
    problems.push(['cycle', 'must be monthly for a plan with an hourly price']);
  if (repeated(usage, 'item').length > 0) problems.push(['usage', 'must list each item once']);
  if (prices.some((price) => repeated(price.usage ?? [], 'item').length > 0))
    problems.push(['prices', 'must list each item once']);
  return problems;
}

/** Rule BR-S-02 of EN 16931: an electronic invoice with tax names the seller's VAT number. */
function* checkSeller(seller: Site['provider']['seller'], taxes: NonNullable<Site['taxes']>): Iterable<SiteProblem> {
  if (seller === undefined || (seller.vatNumber ?? '') !== '') return;
  const countries = seller.electronicInvoices ?? defaultElectronicCountries;
  const taxed = taxes.find(({ country, rate }) => Number(rate) > 0 && countries.includes(country));
  if (taxed !== undefined)
    yield [
      ['provider', 'seller'],
      `electronic invoices with tax need vatNumber, and customers in ${taxed.country} get them; set vatNumber, or leave the country out of electronicInvoices`,
    ];
}

/** Returns the items that share this member with an earlier one, with their indexes. */
function repeated<T>(items: readonly T[], member: keyof T): [number, T][] {
  const values = items.map((item) => item[member]);
  return [...items.entries()].filter(([index, item]) => values.indexOf(item[member]) < index);
}
