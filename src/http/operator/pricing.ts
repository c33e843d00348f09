// Operator API: plans, cancellations, metered usage and coupons.
import type { pricingOperator } from '#contract/operator/pricing.ts';
import { serviceCancel, serviceCancelWithdraw } from '#app/pricing/cancellations.ts';
import { couponCreate, couponEnd, couponList } from '#app/pricing/coupons.ts';
import { cancellationHold, cancellationList, cancellationRelease } from '#app/pricing/ended-services.ts';
import { servicePlanSet } from '#app/pricing/plan-changes.ts';
import * as plans from '#app/pricing/plans.ts';
import { pricePlanApply, pricePlanKeep } from '#app/pricing/price-changes.ts';
import { usageRecord } from '#app/pricing/usage.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const pricingHandlers: HandlersOf<typeof pricingOperator> = {
  pricePlanList: plans.pricePlanList,
  pricePlanCreate: respondWith('Plan Created', plans.pricePlanCreate),
  pricePlanUpdate: respondWith('Plan Changed', plans.pricePlanUpdate),
  pricePlanApply: respondWith('Price Change Planned', pricePlanApply),
  pricePlanKeep: respondWith('Price Change Withdrawn', (context, { name }) => pricePlanKeep(context, name)),
  pricePlanWithdraw: respondWith('Plan Withdrawn', (context, { name }) =>
    plans.pricePlanStateSet(context, name, 'Withdrawn'),
  ),
  pricePlanOffer: respondWith('Plan Offered', (context, { name }) => plans.pricePlanStateSet(context, name, 'Offered')),
  pricePlanDelete: respondWith('Plan Deleted', (context, { name }) => plans.pricePlanDelete(context, name)),
  servicePlanSet: respondWith('Plan Changed', servicePlanSet),
  serviceCancel,
  serviceCancelWithdraw: respondWith('Cancellation Withdrawn', (context, { id }) => serviceCancelWithdraw(context, id)),
  cancellationList,
  cancellationHold: respondWith('Termination Held', cancellationHold),
  cancellationRelease: respondWith('Termination Released', (context, { id }) => cancellationRelease(context, id)),
  usageRecord: respondWith('Usage Recorded', usageRecord),
  couponList,
  couponCreate: respondWith('Coupon Created', couponCreate),
  couponEnd: respondWith('Coupon Ended', (context, { coupon }) => couponEnd(context, coupon)),
};
