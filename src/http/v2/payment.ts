// v2: payment methods, payments and top-ups.
import type { paymentV2 } from '#contract/v2/payment.ts';
import {
  chargeList,
  paymentGet,
  paymentMethodDefault,
  paymentMethodList,
  paymentMethodRemove,
} from '#app/payments/lists.ts';
import { invoicePay, paymentMethodAdd, topUp } from '#app/payments/pay.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const paymentHandlers: HandlersOf<typeof paymentV2> = {
  paymentGet: (context) => paymentGet(context),
  paymentMethodList: (context) => paymentMethodList(context),
  paymentMethodAdd: (context) => paymentMethodAdd(context),
  paymentMethodDefault: respondWith('Default Payment Method Changed', paymentMethodDefault),
  paymentMethodRemove: respondWith('Payment Method Removed', paymentMethodRemove),
  invoicePay,
  topUp,
  chargeList,
};
