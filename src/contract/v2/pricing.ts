// Version 2, our additions: the next invoice, plans and cancellations of services, and coupons.
import { Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { Money } from '../shapes/account.ts';
import { DevicePlan, InvoicePreview, LastDay, OwnCoupon } from '../shapes/pricing.ts';

const readEndpoint = { method: 'GET', access: 'billing:read', addition: true } as const;
const writeEndpoint = { access: 'account:write', effect: 'stored', addition: true } as const;

export const pricingV2 = {
  invoicePreview: endpoint({
    ...readEndpoint,
    path: '/v2/account/invoice/next',
    tag: 'account',
    cost: 10,
    summary: 'Preview the next invoice',
    description:
      'Computed like the invoice itself, with tax and credit. Traffic, addresses and usage are billed for the past period, so they can still change until then.',
    result: InvoicePreview,
  }),
  couponList: endpoint({
    ...readEndpoint,
    path: '/v2/account/coupon',
    tag: 'account',
    summary: 'List the coupons that the account has redeemed',
    result: Type.Array(OwnCoupon),
  }),
  couponRedeem: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/account/coupon',
    tag: 'account',
    // Codes are short, so guessing them must be slow.
    cost: 50,
    summary: 'Redeem a coupon',
    description: 'The coupon reduces prices of plans from the next invoice on. An account can redeem each coupon once.',
    params: { coupon: p.CouponCode },
    target: ['coupon'],
    errors: ['state_conflict', 'not_in_catalogue'],
  }),
  devicePlanGet: endpoint({
    ...readEndpoint,
    path: '/v2/device/plan/{service}',
    tag: 'device',
    summary: 'Get the plan of a service, its terms and the plans that it can change to',
    description: 'Includes the minimum term, and when the service would end if it were cancelled now.',
    params: { service: p.Id },
    result: DevicePlan,
  }),
  devicePlanPreview: endpoint({
    ...readEndpoint,
    method: 'POST',
    path: '/v2/device/plan/preview',
    effect: 'none',
    tag: 'device',
    cost: 10,
    summary: 'Preview a change of plan',
    description: "Returns the service's share of the next invoice if its plan changed now.",
    params: { service: p.Id, plan: p.PlanName },
    result: InvoicePreview,
    errors: ['state_conflict', 'service_terminated', 'not_in_catalogue'],
  }),
  devicePlanSet: endpoint({
    ...writeEndpoint,
    method: 'PUT',
    path: '/v2/device/plan',
    tag: 'device',
    ignoresHold: true,
    cost: 5,
    summary: 'Change the plan of a service',
    description:
      'Applies from today or, between two hourly plans, from the next hour. The next invoice credits the remaining days of the old plan and bills them for the new one.',
    params: { service: p.Id, plan: p.PlanName },
    target: ['service', 'plan'],
    errors: ['state_conflict', 'service_terminated', 'not_in_catalogue'],
  }),
  deviceCancel: endpoint({
    ...writeEndpoint,
    method: 'POST',
    path: '/v2/device/cancellation',
    tag: 'device',
    ignoresHold: true,
    cost: 5,
    summary: 'Cancel a service',
    description:
      'It ends with the paid period, and not before the end of its minimum term. Returns the last day, until which the cancellation can be withdrawn.',
    params: { service: p.Id, reason: p.optional(p.Text()) },
    target: ['service', 'reason'],
    result: LastDay,
    errors: ['state_conflict', 'service_terminated'],
  }),
  deviceCancelWithdraw: endpoint({
    ...writeEndpoint,
    method: 'DELETE',
    path: '/v2/device/cancellation',
    tag: 'device',
    ignoresHold: true,
    cost: 5,
    summary: 'Withdraw the cancellation of a service',
    params: { service: p.Id },
    target: ['service'],
    errors: ['state_conflict', 'service_terminated'],
  }),
  netblockPrice: endpoint({
    ...readEndpoint,
    path: '/v2/network/price/{service}',
    tag: 'network',
    summary: 'Get the price of further addresses',
    description: 'The monthly price of a block of this size, without tax, according to the plan.',
    params: { service: p.Id, type: p.Choice('ipv4', 'ipv6'), size: p.AddressSize },
    result: Type.Object({ price: Money }),
  }),
} as const;
