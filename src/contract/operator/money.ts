// Operator API: the money of a customer: ledger, payments, credit, refunds, corrections of invoices, and dunning.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Day, Flag01, Moment, Money } from '../shapes/account.ts';
import { described, text } from '../shapes/text.ts';

const momentOrEmpty = described('Time in UTC, or empty');
const maxCreditedLines = 500;

export const OperatorLedgerEntry = Type.Object({
  id: text,
  account: text,
  timestamp: Moment,
  kind: Type.Enum(['opening', 'invoice', 'payment', 'credit', 'refund', 'chargeback', 'write-off']),
  debit: described('The book that is debited'),
  credit: described('The book that is credited'),
  amount: Money,
  invoice: described('Id of the invoice; empty if none'),
  invoicenum: text,
  reference: text,
});
export const OperatorBalance = Type.Object({
  account: text,
  currency: text,
  receivable: described('Owed on open invoices'),
  overdue: described('The part that is past its due date'),
  credit: described('Prepaid or granted, and not used yet'),
  writtenoff: described('Written off, and not paid since'),
});

const Step = described('`overdue`, `reminder 1`, `late fee`, `suspension`; empty if none');
export const OperatorDunning = Type.Object({
  account: text,
  held: Flag01,
  heldsince: momentOrEmpty,
  heldby: text,
  reason: text,
  invoices: Type.Array(
    Type.Object({
      id: text,
      invoicenum: text,
      duedate: Day,
      dayslate: text,
      balance: Money,
      laststep: Step,
      lasttime: momentOrEmpty,
      nextstep: Step,
      nextdate: described('When the next step is due; empty if none'),
    }),
    { description: 'Unpaid invoices, oldest first' },
  ),
});

const readEndpoint = { method: 'GET', tag: 'billing', access: 'operator:read' } as const;
const writeEndpoint = { method: 'POST', tag: 'billing', access: 'operator:money', effect: 'stored' } as const;

export const moneyOperator = {
  ledgerList: endpoint({
    ...readEndpoint,
    path: '/operator/ledger',
    command: 'ledger list',
    summary: 'List the ledger entries of an account, newest first',
    params: { account: p.Id, ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorLedgerEntry),
  }),
  ledgerBalance: endpoint({
    ...readEndpoint,
    path: '/operator/ledger/balance',
    command: 'ledger balance',
    summary: "Get an account's debt and credit",
    params: { account: p.Id },
    result: OperatorBalance,
  }),
  paymentRecord: endpoint({
    ...writeEndpoint,
    path: '/operator/payment',
    command: 'payment record',
    summary: 'Record a payment that an account has made',
    description:
      'The payment is applied to the oldest open invoices first, then to invoices that were written off; the rest becomes credit. A payment is identified by method and reference; recording it again changes nothing. `date` is the day on which it was received, today by default.',
    params: {
      account: p.Id,
      amount: p.PaymentAmount,
      method: p.PaymentMethodName,
      reference: p.Text({ max: 128 }),
      date: p.optional(p.CalendarDate),
    },
    target: ['account'],
    result: Type.Enum(['Payment Recorded', 'Payment Known']),
    errors: ['already_exists'],
  }),
  creditGrant: endpoint({
    ...writeEndpoint,
    path: '/operator/credit',
    command: 'credit grant',
    summary: 'Grant goodwill credit for the next invoices',
    params: { account: p.Id, amount: p.PaymentAmount, reason: p.Text() },
    target: ['account', 'reason'],
  }),
  refundRecord: endpoint({
    ...writeEndpoint,
    path: '/operator/refund',
    command: 'refund record',
    summary: 'Record that credit was paid out',
    description:
      'At most the available credit. To pay back an invoice, credit it first. Hostyard does not move the money.',
    params: {
      account: p.Id,
      amount: p.PaymentAmount,
      method: p.PaymentMethodName,
      reference: p.Text({ max: 128 }),
      reason: p.Text(),
    },
    target: ['account', 'reason'],
    errors: ['already_exists', 'state_conflict'],
  }),
  invoiceWriteOff: endpoint({
    ...writeEndpoint,
    path: '/operator/invoice/write-off',
    command: 'invoice write-off',
    summary: 'Write off an unpaid invoice',
    description:
      'The open amount is no longer expected, and the invoice becomes `Cancelled`. A later payment reverses the write-off. If the account is suspended, it stays suspended.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    errors: ['state_conflict'],
  }),
  invoiceCredit: endpoint({
    ...writeEndpoint,
    path: '/operator/invoice/credit-note',
    command: 'invoice credit',
    summary: 'Issue a credit note for an invoice',
    description:
      'Credits everything that is left of the invoice, or the given `lines`, with the taxes of the invoice. `amount` is without tax, by default everything that is left of the line. The open amount is no longer owed, and the paid amount becomes credit.',
    params: {
      id: p.Id,
      reason: p.Text(),
      lines: p.optional(p.ObjectList({ id: p.Id, amount: p.optional(p.PaymentAmount) }, { max: maxCreditedLines })),
    },
    target: ['id', 'reason'],
    result: Type.Object({
      id: described('Id of the credit note'),
      invoicenum: text,
      total: described('With tax; negative'),
    }),
    errors: ['already_exists', 'state_conflict'],
  }),
  dunningGet: endpoint({
    ...readEndpoint,
    path: '/operator/dunning',
    command: 'dunning get',
    summary: 'Get the dunning state of an account',
    description: 'For each unpaid invoice, the last and the next step of the sequence in the site file.',
    params: { account: p.Id },
    result: OperatorDunning,
  }),
  dunningHold: endpoint({
    ...writeEndpoint,
    path: '/operator/dunning/hold',
    command: 'dunning hold',
    summary: 'Put dunning of an account on hold',
    description:
      'Stops reminders, late fees and suspensions until it is resumed. Invoices, payments and automatic charges continue.',
    params: { account: p.Id, reason: p.Text() },
    target: ['account', 'reason'],
    errors: ['state_conflict'],
  }),
  dunningResume: endpoint({
    ...writeEndpoint,
    path: '/operator/dunning/resume',
    command: 'dunning resume',
    summary: 'Resume dunning of an account',
    description: 'Steps that became due during the hold are taken within a minute.',
    params: { account: p.Id, reason: p.Text() },
    target: ['account', 'reason'],
    errors: ['state_conflict'],
  }),
} as const;
