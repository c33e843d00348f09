// Operator API: currencies, tax overview, statements, and the delivery of e-invoices.
import type { currencyOperator } from '#contract/operator/currency.ts';
import { accountCurrencySet } from '#app/billing/currency/account-currency.ts';
import { exchangeRateList, exchangeRateSet } from '#app/billing/currency/rates.ts';
import { operatorDeliveryList } from '#app/billing/delivery/lists.ts';
import { invoiceDeliver } from '#app/billing/delivery/queue.ts';
import { getStatement, getStatementPdf } from '#app/billing/statements/statements.ts';
import { taxConflictList } from '#app/billing/tax/evidence.ts';
import { taxOverview } from '#app/billing/tax/overview.ts';
import { getCustomer } from '#app/operator/accounts.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const currencyHandlers: HandlersOf<typeof currencyOperator> = {
  exchangeRateList,
  exchangeRateSet: respondWith('Exchange Rate Set', exchangeRateSet),
  accountCurrencySet: respondWith('Currency Set', accountCurrencySet),
  taxOverview,
  taxConflictList,
  accountStatement: async ({ queries }, { account, ...period }) =>
    getStatement(queries, (await getCustomer(queries, account)).id, period),
  accountStatementPdf: async ({ queries }, { account, ...period }) =>
    getStatementPdf(queries, (await getCustomer(queries, account)).id, period),
  deliveryList: operatorDeliveryList,
  invoiceDeliver: respondWith('Delivery Queued', (context, { id }) => invoiceDeliver(context, id)),
};
