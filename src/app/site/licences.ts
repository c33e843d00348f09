// Stores the licences that the site file offers, and the hook that delivers their keys.
import type { Site } from '#contract/site/site.ts';
import { licenceHookPut } from '#workflows/billing/licence-hook.ts';
import { moneyCents } from '#lib/money.ts';
import { licencePricesPut } from '#store/billing/licences.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';

export async function applyLicences(app: App, queries: Queries, site: Site): Promise<void> {
  const prices = (site.licences ?? []).map(({ name, price }) => ({ name, price_cents: moneyCents(price)! }));
  await licencePricesPut(queries, prices);
  await licenceHookPut(queries, app.secrets, site.licenceHook);
}
