// What is wrong with plans, taxes and billing of a site file, beyond its shape.
import type { Site } from '#contract/site.ts';
import { hookSecret } from '#kernel/hook-signature.ts';
import { referenceIn } from '../site/secrets.ts';
import type { PlacedFault } from '../site/placed-fault.ts';

export function* billingFaults({ plans = [], taxes = [], billing, services = [] }: Site): Iterable<PlacedFault> {
  const names = new Set<string>();
  for (const [index, { name }] of plans.entries()) {
    if (names.has(name)) yield [['plans', index, 'name'], `plan ${name} is there twice`];
    names.add(name);
  }
  const countries = new Set<string>();
  for (const [index, { country }] of taxes.entries()) {
    if (countries.has(country)) yield [['taxes', index, 'country'], `${country} is there twice`];
    countries.add(country);
  }
  for (const [index, { plan, price, start, end }] of services.entries()) {
    const path = ['services', index];
    if (plan !== undefined && !names.has(plan)) yield [[...path, 'plan'], `there is no plan ${plan}`];
    if (plan === undefined && price !== undefined) yield [[...path, 'price'], 'a price needs a plan'];
    if (start !== undefined && end !== undefined && end < start) yield [[...path, 'end'], 'end lies before start'];
  }
  yield* hookFaults(billing?.hooks ?? []);
}

function* hookFaults(hooks: NonNullable<NonNullable<Site['billing']>['hooks']>): Iterable<PlacedFault> {
  const names = new Set<string>();
  for (const [index, { name, secret }] of hooks.entries()) {
    const path = ['billing', 'hooks', index];
    if (names.has(name)) yield [[...path, 'name'], `hook ${name} is there twice`];
    names.add(name);
    if (referenceIn(secret) === undefined && hookSecret(secret) === undefined)
      yield [[...path, 'secret'], 'secret must be whsec_ and at least 16 bytes in base64'];
  }
}
