// Payment methods, charges and refunds, as customers and staff see them. Ids at the payment provider stay on the server.
import { Type } from 'typebox';
import { Money } from './account.ts';
import { described, text } from './text.ts';

const methodStates = ['active', 'expired'] as const;
export const chargeStates = [
  'created',
  'submitted',
  'needs_action',
  'succeeded',
  'failed',
  'partly_refunded',
  'refunded',
  'charged_back',
] as const;
export type ChargeState = (typeof chargeStates)[number];
const refundStates = ['created', 'submitted', 'succeeded', 'failed'] as const;

export const PaymentInfo = Type.Object({
  online: Type.Boolean({ description: 'True if cards can be saved and invoices paid on a page' }),
  collects: Type.Boolean({ description: 'True if invoices are collected from the default method on their due date' }),
  currency: text,
  topupmin: Money,
  topupmax: Money,
});

export const PaymentMethodItem = Type.Object({
  id: text,
  provider: described('The payment provider, such as `stripe`'),
  kind: described('Such as `card`'),
  label: described('Such as `Visa •••• 4242, 8/2030`'),
  state: Type.Enum(methodStates, { description: 'An expired method can no longer be charged' }),
  default: Type.Boolean({ description: 'Invoices are collected from it on their due date' }),
  created: text,
});

const charge = {
  id: text,
  provider: text,
  method: described('The label of the payment method; empty for a payment on a page'),
  purpose: Type.Enum(['invoice', 'top-up']),
  invoicenum: described('Empty for a top-up'),
  amount: Money,
  currency: text,
  state: Type.Enum(chargeStates, {
    description:
      'created and submitted: in progress; needs_action: the customer must confirm it; partly_refunded, refunded and charged_back: it succeeded, but money was returned',
  }),
  failure: described('Why it failed; otherwise empty'),
  refunded: Money,
  automatic: Type.Boolean({ description: 'Collected automatically on the due date, or retried after it' }),
  created: text,
};
export const ChargeItem = Type.Object(charge);

export const OperatorCharge = Type.Object({
  ...charge,
  account: text,
  failurecode: described('The payment provider’s message'),
  reference: described('The id of the payment at the payment provider, as in the ledger'),
  refundable: Money,
  refunds: Type.Array(
    Type.Object({
      id: text,
      amount: Money,
      state: Type.Enum(refundStates),
      failurecode: text,
      reason: text,
      created: text,
    }),
  ),
});

/** The next step after starting a payment. */
export const StartedPayment = Type.Object({
  charge: text,
  state: Type.Enum(chargeStates),
  url: described('The page on which to pay; empty if a stored method is charged'),
});

export const SavingPage = Type.Object({
  id: text,
  url: described('The page on which to save the payment method'),
});
