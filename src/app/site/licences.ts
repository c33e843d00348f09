// What software the site file sells, and where its keys come from.
import type { Site } from '#contract/site.ts';
import { licenceHookPut } from '#equipment/licence-source.ts';
import { moneyCents } from '#kernel/money.ts';
import { licencePricesPut } from '#store/billing/licences.ts';
import type { Queries } from '#store/store.ts';
import type { Yard } from '../yard.ts';

export async function applyLicences(yard: Yard, queries: Queries, site: Site): Promise<void> {
  const prices = (site.licences ?? []).map(({ name, price }) => ({ name, price_cents: moneyCents(price)! }));
  await licencePricesPut(queries, prices);
  await licenceHookPut(queries, yard.secrets, site.licenceHook);
}
