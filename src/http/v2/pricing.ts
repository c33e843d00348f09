// v2: the next invoice, plans and cancellations of services, and coupons.
import type { pricingV2 } from '#contract/v2/pricing.ts';
import { previewInvoice } from '#app/billing/dry-run.ts';
import { netblockPrice } from '#app/pricing/address-price.ts';
import { deviceCancel, deviceCancelWithdraw } from '#app/pricing/cancellations.ts';
import { couponRedeem, ownCouponList } from '#app/pricing/coupons.ts';
import { devicePlanGet, devicePlanPreview, devicePlanSet } from '#app/pricing/plan-changes.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const pricingHandlers: HandlersOf<typeof pricingV2> = {
  invoicePreview: ({ queries, caller }) => previewInvoice(queries, caller.account),
  couponList: ownCouponList,
  couponRedeem: respondWith('Coupon Redeemed', (context, { coupon }) => couponRedeem(context, coupon)),
  devicePlanGet: (context, { service }) => devicePlanGet(context, service),
  devicePlanPreview,
  devicePlanSet: respondWith('Plan Changed', devicePlanSet),
  deviceCancel,
  deviceCancelWithdraw: respondWith('Cancellation Withdrawn', (context, { service }) =>
    deviceCancelWithdraw(context, service),
  ),
  netblockPrice,
};
