// Operator API: plans, cancellations, metered usage and coupons.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { CancellationEntry, Coupon, LastDay, PricePlan } from '../shapes/pricing.ts';
import { HourPrice, maxPlanCurrencies, Price, usageItems } from '../site/billing.ts';
import { PlanMachine } from '../site/machines.ts';

const readEndpoint = { method: 'GET', tag: 'billing', access: 'operator:read' } as const;
const writeEndpoint = { tag: 'billing', access: 'operator:money', effect: 'stored' } as const;

/** The size of a virtual machine on the plan. */
const machineParams = {
  vcpus: p.optional(PlanMachine.properties.vcpus),
  memorymb: p.optional(PlanMachine.properties.memoryMb),
  diskgb: p.optional(PlanMachine.properties.diskGb),
  bandwidthgb: p.optional(p.Whole(1, 1_000_000_000)),
  type: p.optional(p.Choice('Xen', 'OpenVZ')),
  size: p.optional(p.AddressSize),
  order: p.optional(p.Flag),
} as const;

/** The prices of a plan in each of its currencies. */
const priceParams = {
  price: Price,
  hourly: p.optional(HourPrice),
  setup: p.optional(Price),
  mbitprice: p.optional(Price),
  mbitcap: p.optional(Price),
  addressprice: p.optional(Price),
  addresscap: p.optional(Price),
} as const;
const usageParams = { item: p.Choice(...usageItems), price: Price, cap: p.optional(Price) } as const;

const planParams = {
  name: p.PlanName,
  currency: p.optional(p.CurrencyCode),
  ...priceParams,
  cycle: p.optional(p.Choice('monthly', 'quarterly', 'yearly')),
  minimum: p.optional(p.Whole(1, 60)),
  changes: p.optional(p.List(p.PlanName, { max: 50 })),
  mbits: p.optional(p.Whole(0, 10_000_000)),
  addresses: p.optional(p.Whole(0, 1_000_000)),
  usage: p.optional(p.ObjectList({ ...usageParams, included: p.Whole(0, 1_000_000) }, { max: usageItems.length })),
  prices: p.optional(
    p.ObjectList(
      {
        currency: p.CurrencyCode,
        ...priceParams,
        usage: p.optional(p.ObjectList(usageParams, { max: usageItems.length })),
      },
      { max: maxPlanCurrencies },
    ),
  ),
  ...machineParams,
} as const;
const namedPlan = { params: { name: p.PlanName }, target: ['name'] } as const;

export const pricingOperator = {
  pricePlanList: endpoint({
    ...readEndpoint,
    path: '/operator/plan',
    command: 'plan list',
    summary: 'List plans',
    description: 'Plans of the site file and of the panel, with the number of services on each.',
    result: Type.Array(PricePlan),
  }),
  pricePlanCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/plan',
    command: 'plan create',
    summary: 'Create a plan',
    description:
      'Prices are without tax. With `hourly`, every started hour is billed, up to `price` per month. `mbits` and `addresses` are included; `mbitprice` and `addressprice` are the monthly prices of more. All prices are in `currency`, by default the provider’s; `prices` repeats them for accounts in other currencies. Customers can change to the plans in `changes`. `vcpus`, `memorymb` and `diskgb` are the size of a virtual machine on the plan, and `size` is its block of addresses, /30 by default; with `order`, customers can order one.',
    params: planParams,
    target: ['name', 'type'],
    errors: ['already_exists', 'state_conflict'],
  }),
  pricePlanUpdate: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/plan',
    command: 'plan update',
    summary: 'Replace the prices of a plan for new services',
    description:
      'Replaces the whole plan, including omitted fields. Existing services keep their prices until the plan is applied to them. To change a plan of the site file, edit the site file.',
    params: planParams,
    target: ['name', 'type'],
    errors: ['state_conflict'],
  }),
  pricePlanApply: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/plan/apply',
    command: 'plan apply',
    summary: 'Apply the prices of a plan to its existing services',
    description:
      'Applies from the start of the given day and replaces an earlier date. Prices that were agreed for a single service stay. Customers are notified immediately, with the earliest day on which they can leave: until higher prices apply, they can cancel regardless of the minimum term.',
    params: { name: p.PlanName, from: p.CalendarDate },
    target: ['name'],
    errors: ['state_conflict'],
  }),
  pricePlanKeep: endpoint({
    ...writeEndpoint,
    ...namedPlan,
    method: 'DELETE',
    path: '/operator/plan/apply',
    command: 'plan keep',
    summary: 'Withdraw a planned price change',
    description: 'Existing services keep their prices. Only possible before the day that was set with `plan apply`.',
    errors: ['state_conflict'],
  }),
  pricePlanWithdraw: endpoint({
    ...writeEndpoint,
    ...namedPlan,
    method: 'POST',
    path: '/operator/plan/withdraw',
    command: 'plan withdraw',
    summary: 'Withdraw a plan',
    description: 'New services cannot use it, and customers cannot change to it. Services on the plan keep it.',
    errors: ['state_conflict'],
  }),
  pricePlanOffer: endpoint({
    ...writeEndpoint,
    ...namedPlan,
    method: 'POST',
    path: '/operator/plan/offer',
    command: 'plan offer',
    summary: 'Offer a withdrawn plan again',
    errors: ['state_conflict'],
  }),
  pricePlanDelete: endpoint({
    ...writeEndpoint,
    ...namedPlan,
    method: 'DELETE',
    path: '/operator/plan',
    command: 'plan delete',
    summary: 'Delete a plan that was never used',
    errors: ['state_conflict'],
  }),
  servicePlanSet: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/operator/service/plan',
    tag: 'service',
    command: 'service plan',
    summary: 'Change the plan of a service',
    description:
      'To any plan that is offered, regardless of the minimum term. `price` replaces the price of the plan. Without it, changing to a plan that costs the same or more does not end the minimum term of the previous plan. The next invoice settles the difference.',
    params: { id: p.Id, plan: p.PlanName, price: p.optional(Price) },
    target: ['id', 'plan'],
    errors: ['state_conflict', 'service_terminated', 'not_in_catalogue'],
  }),
  serviceCancel: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/service/cancellation',
    tag: 'service',
    command: 'service cancel',
    summary: 'Cancel a service',
    description:
      'Billing ends after `date`, which can be any day; by default, it is the earliest day that the customer could choose. The service is terminated after that day, and at least one day after the final notice.',
    params: { id: p.Id, date: p.optional(p.CalendarDate), reason: p.Text() },
    target: ['id', 'reason'],
    result: LastDay,
    errors: ['state_conflict', 'service_terminated'],
  }),
  serviceCancelWithdraw: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/service/cancellation',
    tag: 'service',
    command: 'service keep',
    summary: 'Withdraw the cancellation of a service',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict', 'service_terminated'],
  }),
  cancellationList: endpoint({
    ...readEndpoint,
    path: '/operator/cancellation',
    command: 'cancellation list',
    summary: 'List cancelled services',
    description:
      'Lists cancelled services that are not terminated yet, by last day. Pass the last service as `after` for the next page.',
    params: p.pageAfter(p.Id),
    result: Type.Array(CancellationEntry),
  }),
  cancellationHold: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/cancellation/hold',
    command: 'cancellation hold',
    summary: 'Hold the termination of a cancelled service',
    description: 'The service runs, without being billed, until you release or terminate it.',
    params: { id: p.Id, reason: p.Text() },
    target: ['id', 'reason'],
    errors: ['state_conflict', 'service_terminated'],
  }),
  cancellationRelease: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/cancellation/hold',
    command: 'cancellation release',
    summary: 'Release the termination of a cancelled service',
    description:
      'The customer gets another final notice. The service is terminated a day later, or after its last day.',
    params: { id: p.Id },
    target: ['id'],
    errors: ['state_conflict', 'service_terminated'],
  }),
  usageRecord: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/usage',
    command: 'usage record',
    summary: 'Record the size of backups or snapshots of a service',
    description:
      'For usage that is metered outside Hostyard. `quantity` in GB applies from the given day, today by default, until the day of the next record, and is billed by the plan.',
    params: {
      id: p.Id,
      item: p.Choice('backups', 'snapshots'),
      quantity: p.Quantity,
      date: p.optional(p.CalendarDate),
    },
    target: ['id'],
    errors: ['service_terminated'],
  }),
  couponList: endpoint({
    ...readEndpoint,
    path: '/operator/coupon',
    command: 'coupon list',
    summary: 'List coupons',
    description: 'Ordered by code. Pass the last code as `after` for the next page.',
    params: p.pageAfter(p.CouponCode),
    result: Type.Array(Coupon),
  }),
  couponCreate: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/operator/coupon',
    command: 'coupon create',
    summary: 'Create a coupon',
    description:
      'Reduces the prices of all plans, or of those in `plans`, by a `discount` such as 25%, or 10.00 per invoice. `uses` limits how many accounts can redeem it, `periods` how many invoices of each account it reduces, and `from` and `until` the days on which it can be redeemed.',
    params: {
      coupon: p.CouponCode,
      discount: p.Discount,
      uses: p.optional(p.Whole(1, 1_000_000)),
      periods: p.optional(p.Whole(1, 120)),
      from: p.optional(p.CalendarDate),
      until: p.optional(p.CalendarDate),
      plans: p.optional(p.List(p.PlanName, { max: 50 })),
      note: p.optional(p.Text()),
    },
    target: ['coupon'],
    errors: ['already_exists'],
  }),
  couponEnd: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/operator/coupon',
    command: 'coupon end',
    summary: 'End a coupon',
    description: 'It can no longer be redeemed. Accounts that have redeemed it keep their discount.',
    params: { coupon: p.CouponCode },
    target: ['coupon'],
    errors: ['state_conflict'],
  }),
} as const;
