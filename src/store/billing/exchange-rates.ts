// Exchange rates of the euro, and the tax of invoices in the seller's currency.
import { sql, type Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { selectWhere, upsert } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { ExchangeRateTable, InvoiceExchangeTable } from './invoice-delivery-tables.ts';

export type ExchangeRate = Selectable<ExchangeRateTable>;
export type InvoiceExchange = Selectable<InvoiceExchangeTable>;

/** The reconciler that reads the rates from their source. */
export const exchangeRateReconciler = 'exchange-rates';

/** Replaces rates of the same currency and day. */
export async function exchangeRatesPut(queries: Queries, rates: readonly ExchangeRate[]): Promise<void> {
  if (rates.length > 0) await upsert(queries, 'exchange_rates', ['currency', 'day'], rates).execute();
}

const latest = prepared((queries: Queries, values: { currency: string; day: number }) =>
  queries
    .selectFrom('exchange_rates')
    .selectAll()
    .where('currency', '=', values.currency)
    .where('day', '<=', values.day)
    .orderBy('day', 'desc')
    .limit(1),
);
/** Returns the rate in force on a day: the latest one up to it. */
export async function exchangeRateOn(
  queries: Queries,
  currency: string,
  day: number,
): Promise<ExchangeRate | undefined> {
  return (await latest(queries, { currency, day }))[0];
}

export async function exchangeRatesOfDay(queries: Queries, day: number): Promise<ExchangeRate[]> {
  return selectWhere(queries, 'exchange_rates', { day }).selectAll().execute();
}

/** Returns the latest rate of each currency. */
export async function exchangeRatesInForce(queries: Queries, day: number): Promise<ExchangeRate[]> {
  return queries
    .selectFrom('exchange_rates')
    .innerJoin(
      (from) =>
        from
          .selectFrom('exchange_rates')
          .select((select) => ['currency as name', select.fn.max('day').as('last')])
          .where('day', '<=', day)
          .groupBy('currency')
          .as('newest'),
      (join) => join.onRef('newest.name', '=', 'currency').onRef('newest.last', '=', 'day'),
    )
    .selectAll('exchange_rates')
    .orderBy('currency')
    .execute();
}

/** Returns the currencies that customers are billed in. Asks for one after the other: there are few, and many accounts. */
export async function accountCurrencies(queries: Queries): Promise<string[]> {
  const currencies: string[] = [];
  // The provider's own account has an empty one.
  for (let last = ''; ;) {
    const next = await queries
      .selectFrom('accounts')
      .select('currency')
      .where('currency', '>', last)
      // A literal, because the index is for these rows only.
      .where('status', '!=', sql.lit('Closed'))
      .orderBy('currency')
      .limit(1)
      .executeTakeFirst();
    if (next === undefined) return currencies;
    currencies.push(next.currency);
    last = next.currency;
  }
}

const insert = preparedInsert('invoice_exchanges');
export async function invoiceExchangeInsert(queries: Queries, row: InvoiceExchange): Promise<void> {
  await insert(queries, [row]);
}

export async function invoiceExchangeFind(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<InvoiceExchange | undefined> {
  return selectWhere(queries, 'invoice_exchanges', { account_id: account, invoice_id: invoice })
    .selectAll()
    .executeTakeFirst();
}
