// Operator API: the money of customers, and reports.
import type { moneyOperator } from '#contract/operator/money.ts';
import type { reportOperator } from '#contract/operator/report.ts';
import { dayOf } from '#lib/time.ts';
import { requireDay } from '#app/billing/reports/billed-invoices.ts';
import { reportCsv } from '#app/billing/reports/csv.ts';
import { reportDatev } from '#app/billing/reports/datev.ts';
import { paymentReport } from '#app/billing/reports/payments.ts';
import { receivablesReport } from '#app/billing/reports/receivables.ts';
import { revenueReport } from '#app/billing/reports/revenue.ts';
import { taxReport } from '#app/billing/reports/taxes.ts';
import { pageLength } from '#app/operator/accounts.ts';
import { dunningGet, dunningHold, dunningResume } from '#app/operator/dunning.ts';
import * as money from '#app/operator/money.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const moneyHandlers: HandlersOf<typeof moneyOperator & typeof reportOperator> = {
  ledgerList: money.ledgerList,
  ledgerBalance: (context, { account }) => money.ledgerBalance(context, account),
  paymentRecord: money.paymentRecord,
  creditGrant: respondWith('Credit Granted', money.creditGrant),
  refundRecord: respondWith('Refund Recorded', money.refundRecord),
  invoiceWriteOff: respondWith('Invoice Written Off', (context, { id }) => money.invoiceWriteOff(context, id)),
  invoiceCredit: money.invoiceCredit,
  dunningGet: (context, { account }) => dunningGet(context, account),
  dunningHold: respondWith('Dunning On Hold', dunningHold),
  dunningResume: respondWith('Dunning Resumed', dunningResume),
  reportRevenue: ({ queries }, period) => revenueReport(queries, period),
  reportReceivables: ({ queries, app }, { day, limit = pageLength }) =>
    receivablesReport(queries, day === undefined ? dayOf(app.clock.now()) : requireDay('day', day), limit),
  reportTaxes: ({ queries }, period) => taxReport(queries, period),
  reportPayments: ({ queries }, period) => paymentReport(queries, period),
  reportCsv: ({ queries }, input) => reportCsv(queries, input),
  reportDatev: ({ queries, app }, input) => reportDatev({ queries, now: app.clock.now() }, input),
};
