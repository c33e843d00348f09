// Operator API: currencies and exchange rates, evidence for tax, VAT rates, statements, and the delivery of e-invoices.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { ExchangeRateList } from '../shapes/currency.ts';
import { OperatorDeliveryItem } from '../shapes/delivery-list.ts';
import { File } from '../shapes/file.ts';
import { deliveryStates } from '../shapes/invoice-delivery.ts';
import { Statement } from '../shapes/statement.ts';
import { EvidenceConflict, TaxOverview } from '../shapes/tax-data.ts';
import { statementPeriod } from '../v2/statement.ts';

const writeEndpoint = { tag: 'billing', access: 'operator:money', effect: 'stored' } as const;
const readEndpoint = { method: 'GET', tag: 'billing', access: 'operator:read' } as const;

export const currencyOperator = {
  exchangeRateList: endpoint({
    ...readEndpoint,
    path: '/operator/exchange-rate',
    command: 'exchange-rate list',
    summary: 'List exchange rates',
    description: 'The latest rate of each currency, and the currencies in which no invoice can be issued at present.',
    result: ExchangeRateList,
    errors: ['state_conflict'],
  }),
  exchangeRateSet: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/exchange-rate',
    command: 'exchange-rate set',
    summary: 'Enter an exchange rate',
    description:
      '`rate` is how much of the currency one euro is worth on that day. It replaces a published rate of the same day.',
    params: {
      currency: p.CurrencyCode,
      date: p.CalendarDate,
      rate: p.Matching('^[0-9]{1,9}(?:\\.[0-9]{1,6})?$', 'must be a number such as 1.0832'),
    },
  }),
  accountCurrencySet: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/account/currency',
    command: 'account currency',
    summary: 'Set the currency of an account',
    description: 'Possible until the account has a ledger entry or a priced service.',
    params: { account: p.Id, currency: p.CurrencyCode },
    target: ['account'],
    errors: ['state_conflict'],
  }),
  taxOverview: endpoint({
    ...readEndpoint,
    path: '/operator/tax',
    command: 'tax overview',
    summary: 'Get the tax settings, VAT rates and states of VAT numbers',
    description: 'Today’s rates, the number of VAT numbers in each state, and the numbers that the register rejected.',
    result: TaxOverview,
  }),
  taxConflictList: endpoint({
    ...readEndpoint,
    path: '/operator/tax/conflict',
    command: 'tax conflicts',
    summary: 'List private customers whose evidence contradicts their billing country',
    description:
      'To resolve a conflict, correct the billing address, or record the country that you verified with `tax update --ordercountry`. Pass the last account as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(EvidenceConflict),
  }),
  accountStatement: endpoint({
    ...readEndpoint,
    path: '/operator/account/statement',
    command: 'account statement',
    summary: 'Get the statement of an account',
    description: 'Opening balance, invoices, payments and closing balance of a period. Days are those of UTC.',
    params: { account: p.Id, ...statementPeriod },
    result: Statement,
    errors: ['state_conflict'],
  }),
  accountStatementPdf: endpoint({
    ...readEndpoint,
    path: '/operator/account/statement/pdf',
    command: 'statement download',
    summary: 'Download the statement of an account as PDF',
    params: { account: p.Id, ...statementPeriod },
    file: 'application/pdf',
    result: File,
    errors: ['state_conflict'],
  }),
  deliveryList: endpoint({
    ...readEndpoint,
    path: '/operator/invoice/delivery',
    command: 'invoice deliveries',
    summary: 'List deliveries of e-invoices',
    description: 'Newest first. Pass the last id as `before` for the next page.',
    params: { ...p.pageBefore(p.Id), account: p.optional(p.Id), state: p.optional(p.Choice(...deliveryStates)) },
    result: Type.Array(OperatorDeliveryItem),
  }),
  invoiceDeliver: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/invoice/delivery',
    command: 'invoice deliver',
    summary: 'Send an invoice through the e-invoicing network',
    description: 'For an invoice that was rejected or never sent. It gets a new identifier in the network.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
} as const;
