// The provider's own currency, and where exchange rates come from, as stored from the site file.
import { Type, type Static } from 'typebox';
import type { Site } from '#contract/site/site.ts';
import type { RateSource } from '#drivers/exchange-rates/ecb.ts';
import { hasTwoDecimals } from '#lib/currency.ts';
import { pickDefined } from '#lib/defined.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import { metaEntry } from '#store/meta.ts';
import type { Queries } from '#store/store.ts';
import type { SiteProblem } from '../../site/site-problem.ts';

const Settings = Type.Object({
  /** The currency of the provider’s tax accounting. */
  currency: Type.String(),
  maxAgeDays: Type.Integer(),
  /** At most one; without either, staff enter the rates. */
  url: Type.Optional(Type.String()),
  file: Type.Optional(Type.String()),
});
export type CurrencySettings = Static<typeof Settings>;

const entry = metaEntry('currency', Settings);
const ecbUrl = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml';
const defaultMaxAgeDays = 7;

export async function storeCurrencySettings(queries: Queries, { provider, exchangeRates }: Site): Promise<void> {
  const file = exchangeRates?.file;
  const url = exchangeRates === undefined || file !== undefined ? undefined : (exchangeRates.url ?? ecbUrl);
  const maxAgeDays = exchangeRates?.maxAgeDays ?? defaultMaxAgeDays;
  await entry.put(queries, { currency: provider.currency.code, maxAgeDays, ...pickDefined({ url, file }) });
}

/** Returns undefined before the first site file. */
export async function getCurrencySettings(queries: Queries): Promise<CurrencySettings | undefined> {
  return entry.find(queries);
}

/** Returns the currency of an account if it is not the provider's, which amounts of the site file are in. */
export async function otherCurrencyOf(queries: Queries, account: AccountId): Promise<string | undefined> {
  const settings = await getCurrencySettings(queries);
  const currency = (await accountFind(queries, account))?.currency;
  return settings === undefined || currency === settings.currency ? undefined : currency;
}

export function rateSourceOf({ url, file }: CurrencySettings): RateSource | undefined {
  if (file !== undefined) return { file };
  return url === undefined ? undefined : { url };
}

export function* checkCurrencies({ provider, customers = [], exchangeRates }: Site): Iterable<SiteProblem> {
  const reason = (code: string): string =>
    `${code} cannot be used: amounts are stored in hundredths, and ${code} does not have two decimals`;
  const { code } = provider.currency;
  if (!hasTwoDecimals(code)) yield [['provider', 'currency', 'code'], reason(code)];
  for (const [index, { currency }] of customers.entries())
    if (currency !== undefined && !hasTwoDecimals(currency)) yield [['customers', index, 'currency'], reason(currency)];
  if (exchangeRates?.url !== undefined && exchangeRates.file !== undefined)
    yield [['exchangeRates', 'file'], 'give url or file, not both'];
}
