// Operator API: reports on revenue, receivables, taxes and payments, and their export.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { lineTypes, Money } from '../shapes/account.ts';
import { File } from '../shapes/file.ts';
import { described, text } from '../shapes/text.ts';

const currency = described('Amounts of different currencies are never added up');
const month = described('YYYY-MM');
const count = described('Whole number');

export const RevenueRow = Type.Object({
  month,
  plan: described('The plan of the service when it was billed; empty if none'),
  type: Type.Enum(lineTypes),
  currency,
  net: Money,
  tax: Money,
  gross: Money,
});

const ages = {
  current: described('Not yet due'),
  days30: described('1 to 30 days late'),
  days60: described('31 to 60 days late'),
  days90: described('61 to 90 days late'),
  older: described('More than 90 days late'),
  total: Money,
};
export const Receivables = Type.Object({
  day: described('Amounts are as of the end of this day'),
  totals: Type.Array(Type.Object({ currency, customers: count, ...ages })),
  customers: Type.Array(Type.Object({ account: text, name: text, currency, ...ages }), {
    description: 'Largest total first',
  }),
});

export const TaxRow = Type.Object({
  country: described('The country whose tax it is'),
  category: described('S, AE, G or E; empty if the site file has rates by country'),
  rate: described('Percent, with two decimals'),
  currency,
  invoices: count,
  base: Money,
  tax: Money,
});

export const PaymentRow = Type.Object({
  month,
  method: text,
  currency,
  payments: count,
  received: Money,
  returned: described('Refunds and chargebacks'),
});

const readEndpoint = { method: 'GET', tag: 'report', access: 'operator:read', cost: 20 } as const;
const period = { from: p.CalendarDate, until: p.CalendarDate };
const reportNames = ['revenue', 'receivables', 'taxes', 'payments'] as const;

export const reportOperator = {
  reportRevenue: endpoint({
    ...readEndpoint,
    path: '/operator/report/revenue',
    command: 'report revenue',
    summary: 'Revenue by month, plan and kind of line',
    description: 'Invoices and credit notes by date, with and without tax, for at most two years.',
    params: period,
    result: Type.Array(RevenueRow),
  }),
  reportReceivables: endpoint({
    ...readEndpoint,
    path: '/operator/report/receivables',
    command: 'report receivables',
    summary: 'Receivables by age on a day',
    description: '`totals` cover all customers. `limit` is the number of customers to list, 100 by default.',
    params: { day: p.optional(p.CalendarDate), limit: p.optional(p.Whole(1, 1000)) },
    result: Receivables,
  }),
  reportTaxes: endpoint({
    ...readEndpoint,
    path: '/operator/report/taxes',
    command: 'report taxes',
    summary: 'Taxes by country and rate',
    description:
      'Taxes of invoices and credit notes by date, for at most two years; use it for the OSS return, for example.',
    params: period,
    result: Type.Array(TaxRow),
  }),
  reportPayments: endpoint({
    ...readEndpoint,
    path: '/operator/report/payments',
    command: 'report payments',
    summary: 'Payments by month and method',
    params: period,
    result: Type.Array(PaymentRow),
  }),
  reportCsv: endpoint({
    ...readEndpoint,
    path: '/operator/report/csv',
    command: 'report csv',
    summary: 'Download a report as CSV',
    description: 'UTF-8, separated by commas. Receivables cover all customers, as of the end of the day `until`.',
    params: { report: p.Choice(...reportNames), ...period },
    file: 'text/csv',
    result: File,
  }),
  reportDatev: endpoint({
    ...readEndpoint,
    path: '/operator/report/datev',
    command: 'report datev',
    summary: 'Download the ledger for DATEV',
    description:
      'A Buchungsstapel in the EXTF format, in Windows-1252, with the ledger accounts of the site file. The period must be within one business year. `currency` selects customers by currency, EUR by default.',
    params: { ...period, currency: p.optional(p.CurrencyCode) },
    file: 'text/csv',
    result: File,
    errors: ['state_conflict'],
  }),
} as const;
