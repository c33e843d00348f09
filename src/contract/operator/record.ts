// Operator API: what belongs to an account, for its page: people, invoices, payments and events.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Day, Flag01, InvoiceDetail, invoiceStatuses, Moment, Money } from '../shapes/account.ts';
import { described, text } from '../shapes/text.ts';

const momentOrEmpty = described('Time in UTC, or empty');

export const OperatorInvoice = Type.Object({
  id: text,
  account: text,
  invoicenum: text,
  kind: Type.Enum(['Invoice', 'CreditNote']),
  date: Day,
  duedate: Day,
  total: Money,
  balance: described('Still to be paid'),
  status: Type.Enum(invoiceStatuses),
});
export const OperatorPayment = Type.Object({
  id: text,
  account: text,
  invoice: text,
  invoicenum: text,
  amount: Money,
  method: text,
  reference: text,
  paid: Moment,
});
export const OperatorEvent = Type.Object({
  id: described('Its number in the account’s log'),
  type: text,
  timestamp: Moment,
  service: described('The service that the event is about; empty if none'),
  data: Type.Unsafe<object>(Type.Record(Type.String(), Type.Unknown())),
});
export const OperatorContact = Type.Object({
  id: text,
  firstname: text,
  lastname: text,
  companyname: text,
  email: text,
  subaccount: Flag01,
  permissions: described('Scopes of a sub-account, comma-separated'),
  status: text,
  created: momentOrEmpty,
});

const readEndpoint = { method: 'GET', tag: 'account', access: 'operator:read' } as const;

export const recordOperator = {
  contactList: endpoint({
    ...readEndpoint,
    path: '/operator/contact',
    command: 'contact list',
    summary: 'List the contacts of an account',
    params: { account: p.Id, ...p.pageAfter(p.Id) },
    result: Type.Array(OperatorContact),
  }),
  invoiceList: endpoint({
    ...readEndpoint,
    path: '/operator/invoice',
    command: 'invoice list',
    summary: 'List invoices, newest first',
    description:
      'Lists invoices of one account or of all. `number` is the beginning of an invoice number; `from` and `until` limit the date.',
    params: {
      account: p.optional(p.Id),
      status: p.optional(p.Choice(...invoiceStatuses)),
      number: p.optional(p.Text({ max: 64 })),
      from: p.optional(p.CalendarDate),
      until: p.optional(p.CalendarDate),
      ...p.pageBefore(p.Id),
    },
    result: Type.Array(OperatorInvoice),
  }),
  invoiceGet: endpoint({
    ...readEndpoint,
    path: '/operator/invoice/{id}',
    command: 'invoice get',
    summary: 'Get an invoice with its lines',
    params: { id: p.Id },
    result: InvoiceDetail,
  }),
  paymentList: endpoint({
    ...readEndpoint,
    path: '/operator/payment',
    command: 'payment list',
    summary: "List the payments on an account's invoices, newest first",
    params: { account: p.Id, ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorPayment),
  }),
  eventList: endpoint({
    ...readEndpoint,
    path: '/operator/event',
    command: 'event list',
    summary: 'List the events of an account, newest first',
    params: { account: p.Id, ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorEvent),
  }),
} as const;
