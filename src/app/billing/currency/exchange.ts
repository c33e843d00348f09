// The tax of an invoice in the provider's own currency, which EN 16931 (BT-6, BT-111) and Article 230 of Directive
// 2006/112/EC demand if the invoice is in another. The rate is the latest one up to the day of the invoice; it is never
// guessed: without one that is recent enough, no such invoice is issued.
import { ApiError } from '#lib/api-error.ts';
import { euro } from '#lib/currency.ts';
import { moneyPart } from '#lib/money.ts';
import { dayOf } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountFind } from '#store/account/accounts.ts';
import * as store from '#store/billing/exchange-rates.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { convertCents, euroMicros, rateText } from './convert.ts';
import { getCurrencySettings, type CurrencySettings } from './settings.ts';

export type TaxExchange = Omit<store.InvoiceExchange, 'invoice_id' | 'account_id'>;

/** Billing runs wait until there is a rate. */
export class MissingExchangeRate extends ApiError {
  constructor(currency: string) {
    super('state_conflict', {
      message: `No invoice in ${currency} can be issued: the exchange rate is missing or too old. Staff can enter it.`,
    });
  }
}

/** Returns undefined if there is no tax, or the invoice is in the provider's own currency. */
export async function exchangeTax(
  queries: Queries,
  invoice: { readonly currency: string; readonly taxCents: number; readonly day: number },
): Promise<TaxExchange | undefined> {
  const settings = await getCurrencySettings(queries);
  if (settings === undefined || invoice.taxCents === 0 || invoice.currency === settings.currency) return undefined;
  const from = await rateInForce(queries, settings, invoice.currency, invoice.day);
  const to = await rateInForce(queries, settings, settings.currency, invoice.day);
  if (from === undefined || to === undefined) throw new MissingExchangeRate(invoice.currency);
  return {
    currency: settings.currency,
    tax_cents: convertCents(invoice.taxCents, from.micros, to.micros),
    rate: rateText(from.micros, to.micros),
    rate_day: Math.min(from.day, to.day),
  };
}

/** How much of an invoice's tax is credited: before a credit note and with it, and the tax of the invoice. */
export interface CreditedTax {
  readonly before: number;
  readonly after: number;
  readonly whole: number;
}

/** The rate of a credit note is that of its invoice, so that all of them take back exactly what was charged. */
export function reverseExchange(
  exchange: store.InvoiceExchange | undefined,
  { before, after, whole }: CreditedTax,
): TaxExchange | undefined {
  if (exchange === undefined) return undefined;
  const { currency, tax_cents, rate, rate_day } = exchange;
  return { currency, tax_cents: 0 - moneyPart(tax_cents, before, after, whole), rate, rate_day };
}

async function rateInForce(
  queries: Queries,
  { maxAgeDays }: Pick<CurrencySettings, 'maxAgeDays'>,
  currency: string,
  day: number,
): Promise<{ readonly micros: number; readonly day: number } | undefined> {
  if (currency === euro) return { micros: euroMicros, day };
  const rate = await store.exchangeRateOn(queries, currency, day);
  return rate === undefined || rate.day < day - maxAgeDays ? undefined : rate;
}

/** Returns the currencies of customers that no taxed invoice can be issued in at present. */
export async function currenciesWithoutRate({
  store: { queries },
  clock,
}: Pick<App, 'store' | 'clock'>): Promise<string[]> {
  const settings = await getCurrencySettings(queries);
  if (settings === undefined) return [];
  const used = await store.accountCurrencies(queries);
  const foreign = used.filter((currency) => currency !== settings.currency);
  if (foreign.length === 0) return [];
  const today = dayOf(clock.now());
  const missing: string[] = [];
  for (const currency of [...foreign, settings.currency])
    if ((await rateInForce(queries, settings, currency, today)) === undefined) missing.push(currency);
  return missing;
}

/** Returns those of the accounts that can be billed: in the provider's currency, or in one with a recent rate. */
export async function accountsWithRate(
  queries: Queries,
  missing: readonly string[],
  accounts: readonly AccountId[],
): Promise<readonly AccountId[]> {
  if (missing.length === 0) return accounts;
  const own = (await getCurrencySettings(queries))?.currency;
  const billable: AccountId[] = [];
  for (const account of accounts) {
    const currency = (await accountFind(queries, account))?.currency ?? own;
    if (currency === own || !(missing.includes(currency!) || missing.includes(own!))) billable.push(account);
  }
  return billable;
}
