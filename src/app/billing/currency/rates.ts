// Exchange rates as they are read from their source, entered by staff, and listed.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { currencyOperator } from '#contract/operator/currency.ts';
import type { ExchangeRateList } from '#contract/shapes/currency.ts';
import { fetchRates, parseRate } from '#drivers/exchange-rates/ecb.ts';
import { conflict, invalid } from '#lib/api-error.ts';
import { euro } from '#lib/currency.ts';
import { dayMs, dayNumberText, dayOf, timeText } from '#lib/time.ts';
import * as store from '#store/billing/exchange-rates.ts';
import type { App, Context } from '../../app.ts';
import { rateText, euroMicros } from './convert.ts';
import { currenciesWithoutRate } from './exchange.ts';
import { getCurrencySettings, rateSourceOf } from './settings.ts';

const ecb = 'ecb';
/** Older days of a long file change nothing. */
const daysRead = 100;

/** Reads the source, if the site file names one. Rates that staff entered for the same day stay. */
export async function readExchangeRates(
  { store: { queries, transaction }, clock }: Pick<App, 'store' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const settings = await getCurrencySettings(queries);
  const source = settings && rateSourceOf(settings);
  if (source === undefined) return;
  const now = clock.now();
  const today = dayOf(now);
  const published = (await fetchRates(source, signal))
    .map(({ day, ...rate }) => ({ ...rate, day: Date.parse(day) / dayMs }))
    // A day that has not come yet is an error of the source.
    .filter(({ day }) => Number.isInteger(day) && day <= today && day > today - daysRead);
  await transaction(async (writing) => {
    for (const [day, ofDay] of Map.groupBy(published, (rate) => rate.day)) {
      const stored = await store.exchangeRatesOfDay(writing, day);
      const byCurrency = new Map(stored.map((rate) => [rate.currency, rate]));
      const changed = ofDay.filter(({ currency, micros }) => {
        const known = byCurrency.get(currency);
        return known === undefined || (known.source === ecb && known.micros !== micros);
      });
      await store.exchangeRatesPut(
        writing,
        changed.map((rate) => ({ ...rate, source: ecb, at: now })),
      );
    }
  });
}

/** For staff: how much of the currency one euro is worth. */
export async function exchangeRateSet(
  { app, queries, caller }: Context,
  { currency, date, rate }: InputOf<typeof currencyOperator.exchangeRateSet>,
): Promise<void> {
  const micros = parseRate(rate);
  if (micros === undefined) throw invalid({ rate: 'must be a number above zero with at most six decimals' });
  if (currency === euro) throw invalid({ currency: 'must not be EUR, the base of all rates' });
  const now = app.clock.now();
  const day = Date.parse(date) / dayMs;
  if (!Number.isInteger(day)) throw invalid({ date: 'must be a date such as 2026-01-31' });
  if (day > dayOf(now)) throw invalid({ date: 'must not be in the future' });
  await store.exchangeRatesPut(queries, [{ currency, day, micros, source: caller.operator!.name, at: now }]);
}

export async function exchangeRateList({ app, queries }: Context): Promise<Static<typeof ExchangeRateList>> {
  const settings = await getCurrencySettings(queries);
  if (settings === undefined) throw conflict('No site file has been applied yet.');
  const used = new Set(await store.accountCurrencies(queries));
  const rates = await store.exchangeRatesInForce(queries, dayOf(app.clock.now()));
  return {
    currency: settings.currency,
    source: settings.file ?? settings.url ?? '',
    maxagedays: String(settings.maxAgeDays),
    missing: await currenciesWithoutRate(app),
    rates: rates.map(({ currency, day, micros, source, at }) => ({
      currency,
      date: dayNumberText(day),
      rate: rateText(micros, euroMicros),
      source,
      entered: timeText(at),
      used: used.has(currency),
    })),
  };
}
