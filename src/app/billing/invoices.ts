// Invoices as their customer sees them. Overdue is worked out here, from the due day and today, and stored nowhere.
import type { Static } from 'typebox';
import type { InvoiceDetail, InvoiceListItem, InvoiceStatus } from '#contract/shapes/account.ts';
import { Fault } from '#kernel/fault.ts';
import { dayNumberText, dayOf, momentText, unsetMoment } from '#kernel/moments.ts';
import { moneyText } from '#kernel/money.ts';
import { billingRevision } from '#store/billing/billing-accounts.ts';
import * as store from '#store/billing/invoices.ts';
import { callersAccount } from '../account/accounts.ts';
import { listRemembered } from './invoice-lists.ts';
import type { Context } from '../yard.ts';

export async function invoiceList(
  context: Context,
  status: InvoiceStatus | undefined,
): Promise<Static<typeof InvoiceListItem>[]> {
  const account = await callersAccount(context);
  const today = dayOf(context.yard.clock.now());
  const of = {
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
  // Read before the invoices: a change in between makes a list that is newer than it is said to be, never an older one.
  const revision = await billingRevision(context.queries, account.id);
  const state = JSON.stringify([revision, today, of, currency]);
  return listRemembered(`${context.yard.node} ${account.id} ${status}`, state, async () => {
    const invoices = await store.invoiceList(context.queries, account.id, today, status);
    return invoices.map((invoice) => ({
      id: String(invoice.id),
      ...of,
      invoicenum: invoice.number,
      ...inBoth(invoice, today),
      ...currency,
    }));
  });
}

export async function invoiceGet(context: Context, id: number): Promise<Static<typeof InvoiceDetail>> {
  const { queries, caller } = context;
  const invoice = await store.invoiceFind(queries, caller.account, id);
  if (invoice === undefined) throw new Fault('not_found');
  const lines = await store.invoiceLines(queries, caller.account, id);
  const payments = await store.invoicePayments(queries, caller.account, id);
  const paid = payments.reduce((sum, payment) => sum + payment.amount_cents, 0);
  return {
    invoiceid: String(invoice.id),
    invoicenum: invoice.number,
    userid: String(invoice.account_id),
    ...inBoth(invoice, dayOf(context.yard.clock.now())),
    balance: moneyText(invoice.status === 'Unpaid' ? invoice.total_cents - paid : 0),
    ccgateway: false,
    items: {
      item: lines.map((line) => ({
        id: String(line.id),
        type: line.type,
        relid: line.service_id === null ? '' : String(line.service_id),
        description: line.description,
        amount: moneyText(line.amount_cents),
        taxed: line.taxed === 1 ? '1' : '0',
      })),
    },
    transactions: payments
      .map(
        (payment) =>
          `${momentText(payment.paid_at)} ${payment.method} ${payment.reference} ${moneyText(payment.amount_cents)}`,
      )
      .join('\n'),
  };
}

/** What the list and the detail have in common. */
function inBoth(invoice: store.Invoice, today: number) {
  return {
    date: dayNumberText(invoice.day),
    duedate: dayNumberText(invoice.due_day),
    datepaid: invoice.paid_at === null ? unsetMoment : momentText(invoice.paid_at),
    subtotal: moneyText(invoice.subtotal_cents),
    credit: moneyText(invoice.credit_cents),
    tax: moneyText(invoice.tax_cents),
    tax2: moneyText(invoice.tax2_cents),
    total: moneyText(invoice.total_cents),
    taxrate: moneyText(invoice.tax_rate),
    taxrate2: moneyText(invoice.tax_rate2),
    status: statusOf(invoice, today),
    paymentmethod: invoice.payment_method,
    notes: invoice.notes,
  };
}

function statusOf(invoice: store.Invoice, today: number): InvoiceStatus {
  return invoice.status === 'Unpaid' && invoice.due_day < today ? 'Overdue' : invoice.status;
}
