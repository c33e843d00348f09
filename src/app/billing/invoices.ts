// Invoices as their customer sees them. Whether one is overdue is computed from the due day and today, and never
// stored.
import type { Static } from 'typebox';
import {
  documentedLineType,
  type InvoiceDetail,
  type InvoiceListItem,
  type InvoiceStatus,
} from '#contract/shapes/account.ts';
import { requireFound } from '#lib/api-error.ts';
import { jsonLines, type JsonText } from '#lib/json-text.ts';
import { dayNumberText, dayOf, timeText, unsetTime } from '#lib/time.ts';
import { moneyText } from '#lib/money.ts';
import { billingRevision } from '#store/billing/billing-accounts.ts';
import { invoiceTaxes } from '#store/billing/invoice-taxes.ts';
import * as store from '#store/billing/invoices.ts';
import { getCallersAccount } from '../account/accounts.ts';
import { cacheInvoiceList } from './invoice-lists.ts';
import type { Context } from '../app.ts';

export async function invoiceList(context: Context, status: InvoiceStatus | undefined): Promise<JsonText> {
  const account = await getCallersAccount(context);
  const today = dayOf(context.app.clock.now());
  const owner = {
    userid: String(account.id),
    firstname: account.firstname,
    lastname: account.lastname,
    companyname: account.companyname,
  };
  const currency = {
    currencycode: account.currency,
    currencyprefix: account.currency_prefix,
    currencysuffix: account.currency_suffix,
  };
  // Read before the invoices: a change in between makes the list newer than its revision, never older.
  const revision = await billingRevision(context.queries, account.id);
  const state = JSON.stringify([revision, today, owner, currency]);
  return cacheInvoiceList(`${context.app.instanceId} ${account.id} ${status}`, state, async () => {
    const invoices = await store.invoiceList(context.queries, account.id, today, status);
    const itemOf = (invoice: (typeof invoices)[number]): Static<typeof InvoiceListItem> => ({
      id: String(invoice.id),
      ...owner,
      invoicenum: invoice.number,
      ...sharedFields(invoice, today),
      balance: moneyText(invoice.status === 'Unpaid' ? invoice.open_cents : 0),
      ...currency,
    });
    return jsonLines(invoices, itemOf, 'outside a transaction');
  });
}

export async function invoiceGet(context: Context, id: number): Promise<Static<typeof InvoiceDetail>> {
  const { queries, caller } = context;
  const invoice = requireFound(await store.invoiceFind(queries, caller.account, id));
  const lines = await store.invoiceLines(queries, caller.account, id);
  const taxes = await invoiceTaxes(queries, caller.account, id);
  const payments = await store.invoicePayments(queries, caller.account, id);
  const paid = payments.reduce((sum, payment) => sum + payment.amount_cents, 0);
  return {
    invoiceid: String(invoice.id),
    invoicenum: invoice.number,
    userid: String(invoice.account_id),
    ...sharedFields(invoice, dayOf(context.app.clock.now())),
    balance: moneyText(invoice.status === 'Unpaid' ? invoice.total_cents - paid : 0),
    ccgateway: false,
    items: {
      item: lines.map((line) => ({
        id: String(line.id),
        type: documentedLineType(line.type),
        relid: line.service_id === null ? '' : String(line.service_id),
        description: line.description,
        amount: moneyText(line.amount_cents),
        taxed: line.taxed === 1 ? '1' : '0',
      })),
    },
    taxes: taxes.map(({ category, rate, country, base_cents, tax_cents, reason, reason_code }) => ({
      category,
      rate: moneyText(rate),
      country,
      base: moneyText(base_cents),
      tax: moneyText(tax_cents),
      reason,
      reasoncode: reason_code,
    })),
    transactions: payments
      .map(
        (payment) =>
          `${timeText(payment.paid_at)} ${payment.method} ${payment.reference} ${moneyText(payment.amount_cents)}`,
      )
      .join('\n'),
  };
}

/** The fields that list and detail share. */
function sharedFields(invoice: store.Invoice, today: number) {
  return {
    date: dayNumberText(invoice.day),
    duedate: dayNumberText(invoice.due_day),
    datepaid: invoice.paid_at === null ? unsetTime : timeText(invoice.paid_at),
    subtotal: moneyText(invoice.subtotal_cents),
    credit: moneyText(invoice.credit_cents),
    tax: moneyText(invoice.tax_cents),
    tax2: moneyText(invoice.tax2_cents),
    total: moneyText(invoice.total_cents),
    taxrate: moneyText(invoice.tax_rate),
    taxrate2: moneyText(invoice.tax_rate2),
    status: invoiceStatus(invoice, today),
    paymentmethod: invoice.payment_method,
    notes: invoice.notes,
  };
}

export function invoiceStatus(invoice: Pick<store.Invoice, 'status' | 'due_day'>, today: number): InvoiceStatus {
  return invoice.status === 'Unpaid' && invoice.due_day < today ? 'Overdue' : invoice.status;
}
