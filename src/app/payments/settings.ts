// Settings of payments from the site file, stored sealed, because they contain the keys of payment providers.
import type { SitePayments } from '#contract/site/payments.ts';
import type { Site } from '#contract/site/site.ts';
import { conflict } from '#lib/api-error.ts';
import { moneyCents } from '#lib/money.ts';
import { pickDefined } from '#lib/defined.ts';
import type { SecretBox } from '#lib/secrets.ts';
import { metaFind, metaPut, metaRemove } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';
import { sealSettingsIfChanged } from '../site/equipment.ts';
import type { SiteProblem } from '../site/site-problem.ts';
import type { CollectionSettings } from './attempts.ts';

const entry = 'payments';
const defaultRetries = [3, 7, 14];
const defaultTopUp = { min: '10.00', max: '5000.00' };

interface Secrets {
  readonly secrets: SecretBox;
}

export async function storePaymentSettings(
  app: App,
  queries: Queries,
  { provider: { payments } }: Site,
): Promise<void> {
  if (payments === undefined) return metaRemove(queries, entry);
  const stored = await metaFind(queries, entry);
  await metaPut(queries, entry, sealSettingsIfChanged(app, stored, payments, entry));
}

/** Returns undefined if the site file has no payment providers. */
export async function findPaymentSettings({ secrets }: Secrets, queries: Queries): Promise<SitePayments | undefined> {
  const sealed = await metaFind(queries, entry);
  return sealed === undefined ? undefined : (JSON.parse(secrets.open(sealed, entry)) as SitePayments);
}

export async function requirePaymentSettings(parts: Secrets, queries: Queries): Promise<SitePayments> {
  const settings = await findPaymentSettings(parts, queries);
  if (settings === undefined) throw conflict('Online payments are not available. Pay by the method on the invoice.');
  return settings;
}

export async function getCollectionSettings(parts: Secrets, queries: Queries): Promise<CollectionSettings> {
  const { retries = defaultRetries, notify } = (await findPaymentSettings(parts, queries)) ?? {};
  return { retryDays: retries.toSorted((left, right) => left - right), ...pickDefined({ notify }) };
}

export function topUpLimits({ topUp }: SitePayments): { readonly minCents: number; readonly maxCents: number } {
  const { min, max } = { ...defaultTopUp, ...topUp };
  return { minCents: moneyCents(min)!, maxCents: moneyCents(max)! };
}

export function* checkPayments({ provider: { payments } }: Site): Iterable<SiteProblem> {
  if (payments === undefined) return;
  if (payments.stripe !== undefined && payments.panel === undefined)
    yield [['provider', 'payments'], 'stripe needs panel, the address to which its pages return'];
  const { minCents, maxCents } = topUpLimits(payments);
  if (minCents > maxCents) yield [['provider', 'payments', 'topUp'], 'min must not be greater than max'];
}
