// What belongs to an account, as its page for operators shows it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type {
  OperatorContact,
  OperatorEvent,
  OperatorInvoice,
  OperatorPayment,
  recordOperator,
} from '#contract/operator/record.ts';
import type { InvoiceDetail } from '#contract/shapes/account.ts';
import { requireFound } from '#lib/api-error.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf, timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { contactPage } from '#store/account/contacts.ts';
import { invoiceLoad, invoicePage, paymentPage } from '#store/billing/invoices.ts';
import { eventData, eventList as storedEvents, eventTip } from '#store/work/events.ts';
import { invoiceGet as customersInvoice, invoiceStatus } from '../billing/invoices.ts';
import { requireDay } from '../billing/reports/billed-invoices.ts';
import type { Context } from '../app.ts';
import { pageLength } from './accounts.ts';

export async function contactList(
  { queries }: Context,
  { account, limit = pageLength, after = 0 }: InputOf<typeof recordOperator.contactList>,
): Promise<Static<typeof OperatorContact>[]> {
  return (await contactPage(queries, account as AccountId, { limit, after })).map((contact) => ({
    id: String(contact.id),
    firstname: contact.firstname,
    lastname: contact.lastname,
    companyname: contact.companyname,
    email: contact.email,
    subaccount: contact.subaccount === 1 ? '1' : '0',
    permissions: contact.permissions,
    status: contact.status,
    created: timeText(contact.created_at),
  }));
}

export async function invoiceList(
  { queries, app }: Context,
  { limit = pageLength, before, ...filter }: InputOf<typeof recordOperator.invoiceList>,
): Promise<Static<typeof OperatorInvoice>[]> {
  const today = dayOf(app.clock.now());
  const { account, status, number } = filter;
  const dates = { from: optionalDay('from', filter.from), until: optionalDay('until', filter.until) };
  const wanted = { account: account as AccountId | undefined, status, number, ...dates };
  return (await invoicePage(queries, wanted, { limit, before }, today)).map((invoice) => ({
    id: String(invoice.id),
    account: String(invoice.account_id),
    invoicenum: invoice.number,
    kind: invoice.kind,
    date: dayNumberText(invoice.day),
    duedate: dayNumberText(invoice.due_day),
    total: moneyText(invoice.total_cents),
    balance: moneyText(invoice.status === 'Unpaid' ? invoice.open_cents : 0),
    status: invoiceStatus(invoice, today),
  }));
}

function optionalDay(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : requireDay(name, text);
}

/** As its customer sees it. */
export async function invoiceGet(context: Context, id: number): Promise<Static<typeof InvoiceDetail>> {
  const { account_id: account } = requireFound(await invoiceLoad(context.queries, id), 'Invoice not found.');
  return customersInvoice({ ...context, caller: { ...context.caller, account } }, id);
}

export async function paymentList(
  { queries }: Context,
  { account, limit = pageLength, before }: InputOf<typeof recordOperator.paymentList>,
): Promise<Static<typeof OperatorPayment>[]> {
  return (await paymentPage(queries, account as AccountId, { limit, before })).map((payment) => ({
    id: String(payment.id),
    account: String(payment.account_id),
    invoice: String(payment.invoice_id),
    invoicenum: payment.number,
    amount: moneyText(payment.amount_cents),
    method: payment.method,
    reference: payment.reference,
    paid: timeText(payment.paid_at),
  }));
}

export async function eventList(
  { queries }: Context,
  { account, limit = pageLength, before }: InputOf<typeof recordOperator.eventList>,
): Promise<Static<typeof OperatorEvent>[]> {
  const owner = account as AccountId;
  const upTo = before === undefined ? await eventTip(queries, owner) : before - 1;
  const range = { after: 0, upTo, limit, types: undefined, service: undefined };
  return (await storedEvents(queries, owner, range, 'newest')).toReversed().map((event) => ({
    id: String(event.sequence),
    type: event.type,
    timestamp: timeText(event.at),
    service: event.service_id === null ? '' : String(event.service_id),
    data: eventData.decode(event.data),
  }));
}
