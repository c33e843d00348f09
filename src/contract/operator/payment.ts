// Operator API: payment methods and charges of customers, and refunds.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { OperatorCharge, PaymentMethodItem } from '../shapes/payment.ts';

const common = { tag: 'payment' } as const;

export const paymentOperator = {
  paymentMethods: endpoint({
    ...common,
    method: 'GET',
    path: '/operator/payment/methods',
    access: 'operator:read',
    command: 'payment methods',
    summary: "List a customer's payment methods",
    params: { account: p.Id },
    result: Type.Array(PaymentMethodItem),
  }),
  paymentCharges: endpoint({
    ...common,
    method: 'GET',
    path: '/operator/payment/charges',
    access: 'operator:read',
    command: 'payment charges',
    summary: "List a customer's charges",
    description: 'Newest first, with their refunds. Pass the last `id` as `before` for the next page.',
    params: { account: p.Id, ...p.pageBefore(p.Id) },
    result: Type.Array(OperatorCharge),
  }),
  paymentCharge: endpoint({
    ...common,
    method: 'POST',
    path: '/operator/payment/charge',
    access: 'operator:money',
    effect: 'stored',
    command: 'payment charge',
    summary: "Charge a customer's payment method for an invoice",
    description: 'Without `method`, the default one. Follow the result in the list of charges.',
    params: { account: p.Id, invoice: p.Id, method: p.optional(p.Id) },
    target: ['account', 'invoice'],
    result: OperatorCharge,
    errors: ['state_conflict'],
  }),
  paymentRefund: endpoint({
    ...common,
    method: 'POST',
    path: '/operator/payment/refund',
    access: 'operator:money',
    effect: 'stored',
    command: 'payment refund',
    summary: 'Refund a charge, or a part of it',
    description:
      "Pays out the customer's credit to the payment method that was charged, at most the amount of the charge. To refund an invoice, cancel it first: the paid amount becomes credit.",
    params: { charge: p.Id, amount: p.PaymentAmount, reason: p.PersonLine },
    target: ['reason', 'charge'],
    result: OperatorCharge,
    errors: ['state_conflict'],
  }),
} as const;
