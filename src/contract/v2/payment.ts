// Version 2: payment methods, payments by the customer, and credit top-ups.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { ChargeItem, PaymentInfo, PaymentMethodItem, SavingPage, StartedPayment } from '../shapes/payment.ts';

const reading = { tag: 'payment', access: 'billing:read', addition: true } as const;
const paying = { tag: 'payment', access: 'billing:pay', addition: true } as const;
const pageErrors = ['state_conflict', 'payment_unreachable'] as const;

export const paymentV2 = {
  paymentGet: endpoint({
    ...reading,
    method: 'GET',
    path: '/v2/payment',
    summary: 'Get the available ways to pay',
    result: PaymentInfo,
  }),
  paymentMethodList: endpoint({
    ...reading,
    method: 'GET',
    path: '/v2/payment/method',
    summary: 'List payment methods',
    result: Type.Array(PaymentMethodItem),
  }),
  paymentMethodAdd: endpoint({
    ...paying,
    method: 'POST',
    path: '/v2/payment/method',
    effect: 'equipment',
    summary: 'Add a payment method',
    description:
      'Returns a page of the payment provider for saving a card. The method is listed once the card is saved. The first one becomes the default, from which invoices are collected on their due date.',
    cost: 25,
    result: SavingPage,
    errors: pageErrors,
  }),
  paymentMethodDefault: endpoint({
    ...paying,
    method: 'PUT',
    path: '/v2/payment/method',
    effect: 'stored',
    summary: 'Choose the default payment method',
    description: 'Invoices are collected from it on their due date.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict'],
  }),
  paymentMethodRemove: endpoint({
    ...paying,
    method: 'DELETE',
    path: '/v2/payment/method',
    effect: 'stored',
    summary: 'Remove a payment method',
    description: 'The payment provider deletes it. Without a default method, nothing is collected automatically.',
    params: { id: p.Id },
    target: ['id'],
  }),
  invoicePay: endpoint({
    ...paying,
    method: 'POST',
    path: '/v2/payment/invoice',
    effect: 'equipment',
    summary: 'Pay an invoice',
    description:
      'With `method`, charges that payment method. Without it, returns a page of the payment provider to pay on. Follow the result in the list of charges. A payment pays the oldest open invoice first.',
    params: { invoice: p.Id, method: p.optional(p.Id) },
    target: ['invoice'],
    cost: 25,
    result: StartedPayment,
    errors: pageErrors,
  }),
  topUp: endpoint({
    ...paying,
    method: 'POST',
    path: '/v2/payment/topup',
    effect: 'equipment',
    summary: 'Top up credit',
    description:
      'Pays in advance, in the currency of the account. Open invoices are paid first; the rest becomes credit for the next ones. `method` as for an invoice.',
    params: { amount: p.PaymentAmount, method: p.optional(p.Id) },
    cost: 25,
    result: StartedPayment,
    errors: pageErrors,
  }),
  chargeList: endpoint({
    ...reading,
    method: 'GET',
    path: '/v2/payment/charge',
    summary: 'List charges',
    description: 'Newest first. Pass the last `id` as `before` for the next page.',
    params: p.pageBefore(p.Id),
    result: Type.Array(ChargeItem),
  }),
} as const;
