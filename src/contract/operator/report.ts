// Operator API: reports on revenue, receivables, taxes and payments, and their export.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { lineTypes, Money } from '../shapes/account.ts';
import { File } from '../shapes/file.ts';

const text = Type.String();
const currency = Type.String({ description: 'Amounts of different currencies are never added up' });
const month = Type.String({ description: 'YYYY-MM' });
const count = Type.String({ description: 'Whole number' });

export const RevenueRow = Type.Object({
  month,
  plan: Type.String({ description: 'The plan of the service when it was billed; empty if none' }),
  type: Type.Enum(lineTypes),
  currency,
  net: Money,
  tax: Money,
  gross: Money,
});

const ages = {
  current: Type.String({ description: 'Not yet due' }),
  days30: Type.String({ description: '1 to 30 days late' }),
  days60: Type.String({ description: '31 to 60 days late' }),
  days90: Type.String({ description: '61 to 90 days late' }),
  older: Type.String({ description: 'More than 90 days late' }),
  total: Money,
};
export const Receivables = Type.Object({
  day: Type.String({ description: 'Amounts are as of the end of this day' }),
  totals: Type.Array(Type.Object({ currency, customers: count, ...ages })),
  customers: Type.Array(Type.Object({ account: text, name: text, currency, ...ages }), {
    description: 'Largest total first',
  }),
});

export const TaxRow = Type.Object({
  country: Type.String({ description: 'The country whose tax it is' }),
  category: Type.String({ description: 'S, AE, G or E; empty if the site file has rates by country' }),
  rate: Type.String({ description: 'Percent, with two decimals' }),
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
  returned: Type.String({ description: 'Refunds and chargebacks' }),
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
