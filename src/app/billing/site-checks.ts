// Checks the plans, taxes and billing settings of a site file beyond the schema.
import type { Site } from '#contract/site/site.ts';
import { hookSecret } from '#lib/hook-signature.ts';
import { parseReference } from '../site/secrets.ts';
import type { SiteProblem } from '../site/site-problem.ts';

export function* checkBilling({ plans = [], taxes = [], billing, services = [] }: Site): Iterable<SiteProblem> {
  const names = new Set<string>();
  for (const [index, { name }] of plans.entries()) {
    if (names.has(name)) yield [['plans', index, 'name'], `plan ${name} is defined twice; give each plan its own name`];
    names.add(name);
  }
  const countries = new Set<string>();
  for (const [index, { country }] of taxes.entries()) {
    if (countries.has(country))
      yield [['taxes', index, 'country'], `the tax for ${country} is defined twice; list each country once`];
    countries.add(country);
  }
  for (const [index, { plan, price, start, end }] of services.entries()) {
    const path = ['services', index];
    if (plan !== undefined && !names.has(plan)) yield [[...path, 'plan'], `unknown plan ${plan}; add it under plans`];
    if (plan === undefined && price !== undefined) yield [[...path, 'price'], 'price needs plan'];
    if (start !== undefined && end !== undefined && end < start)
      yield [[...path, 'end'], 'end must not be before start'];
  }
  yield* checkHooks(billing?.hooks ?? []);
}

function* checkHooks(hooks: NonNullable<NonNullable<Site['billing']>['hooks']>): Iterable<SiteProblem> {
  const names = new Set<string>();
  for (const [index, { name, secret }] of hooks.entries()) {
    const path = ['billing', 'hooks', index];
    if (names.has(name)) yield [[...path, 'name'], `hook ${name} is defined twice; give each hook its own name`];
    names.add(name);
    if (parseReference(secret) === undefined && hookSecret(secret) === undefined)
      yield [[...path, 'secret'], 'secret must be whsec_ followed by at least 16 bytes in base64'];
  }
}
