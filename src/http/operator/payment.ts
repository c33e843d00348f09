// Operator API: payment methods, charges and refunds.
import type { paymentOperator } from '#contract/operator/payment.ts';
import { paymentCharge, paymentCharges, paymentMethods, paymentRefund } from '#app/payments/lists.ts';
import type { HandlersOf } from '../handler.ts';

export const paymentHandlers: HandlersOf<typeof paymentOperator> = {
  paymentMethods,
  paymentCharges,
  paymentCharge,
  paymentRefund,
};
