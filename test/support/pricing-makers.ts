// Calls of the operator API about plans, cancellations and coupons that succeed, for the sweeps.
import { dayText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { cancellationRemove } from '#store/pricing/cancellations.ts';
import { termEnd, termsOfService } from '#store/billing/service-terms.ts';
import type { TestApp } from './app.ts';
import { operatorResult } from './operators.ts';
import { requestResult } from './request.ts';

type Maker = (app: TestApp) => Call | Promise<Call>;
interface Call {
  readonly params: Readonly<Record<string, unknown>>;
}

let plans = 0;
const planFields = () => ({ name: `Sweep ${process.pid} ${++plans}`, price: '1.00' });

async function newPlan(app: TestApp): Promise<string> {
  const plan = planFields();
  await operatorResult(app, 'POST', 'plan', plan);
  return plan.name;
}

/** Returns a service that has a plan and is not cancelled. */
async function billedService({ lab, parts: { store } }: TestApp): Promise<string> {
  const account = Number(lab.customer.account) as AccountId;
  const { service } = lab.dedicated;
  await cancellationRemove(store.queries, account, Number(service));
  const last = (await termsOfService(store.queries, account, Number(service))).at(-1)!;
  await termEnd(store.queries, account, last, null);
  return service;
}

/** A plan that customers of the lab's server can change to, and a coupon that they can redeem. */
export const otherPlan = 'Dedicated E5';
export const sweepCoupon = 'SWEEP-OWN';

const pricingOperations = /^(?:devicePlan|deviceCancel|couponRedeem)/;

/** Puts the lab's server and the coupon into the state that an operation of a customer needs. */
export async function prepareForPricing(app: TestApp, operation: string): Promise<void> {
  if (!pricingOperations.test(operation)) return;
  const { queries } = app.parts.store;
  const id = await billedService(app);
  await operatorResult(app, 'PUT', 'service/plan', { id, plan: 'Dedicated E3' });
  if (operation === 'deviceCancelWithdraw')
    await requestResult(app, 'POST', '/v2/device/cancellation', { key: app.lab.customer.key, params: { service: id } });
  await queries.deleteFrom('coupon_redemptions').execute();
  await queries.deleteFrom('coupons').where('code', '=', sweepCoupon).execute();
  await operatorResult(app, 'POST', 'coupon', { coupon: sweepCoupon, discount: '5%' });
}

let coupons = 0;
let quantities = 0;
const newCode = (): string => `SWEEP-${process.pid}-${++coupons}`;

export const pricingMakers: Readonly<Record<string, Maker>> = {
  pricePlanCreate: () => ({ params: planFields() }),
  pricePlanUpdate: async (app) => ({ params: { name: await newPlan(app), price: '2.00' } }),
  pricePlanApply: async (app) => ({ params: { name: await newPlan(app), from: dayText(app.parts.clock.now()) } }),
  pricePlanKeep: async (app) => {
    const name = await newPlan(app);
    await operatorResult(app, 'POST', 'plan/apply', { name, from: dayText(app.parts.clock.now() + 86_400_000) });
    return { params: { name } };
  },
  pricePlanWithdraw: async (app) => ({ params: { name: await newPlan(app) } }),
  pricePlanOffer: async (app) => ({ params: { name: await newPlan(app) } }),
  pricePlanDelete: async (app) => ({ params: { name: await newPlan(app) } }),
  servicePlanSet: async (app) => ({ params: { id: await billedService(app), plan: await newPlan(app) } }),
  serviceCancel: async (app) => ({
    params: {
      id: await billedService(app),
      date: dayText(app.parts.clock.now() + 400 * 86_400_000),
      reason: 'a sweep',
    },
  }),
  serviceCancelWithdraw: async (app) => {
    const id = await billedService(app);
    await operatorResult(app, 'POST', 'service/cancellation', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  cancellationHold: async (app) => {
    const id = await billedService(app);
    await operatorResult(app, 'POST', 'service/cancellation', { id, reason: 'a sweep' });
    return { params: { id, reason: 'a sweep' } };
  },
  cancellationRelease: async (app) => {
    const id = await billedService(app);
    await operatorResult(app, 'POST', 'service/cancellation', { id, reason: 'a sweep' });
    await operatorResult(app, 'POST', 'cancellation/hold', { id, reason: 'a sweep' });
    return { params: { id } };
  },
  usageRecord: ({ lab }) => ({
    params: { id: lab.dedicated.service, item: 'backups', quantity: String(++quantities) },
  }),
  couponCreate: () => ({ params: { coupon: newCode(), discount: '5%' } }),
  couponEnd: async (app) => {
    const coupon = newCode();
    await operatorResult(app, 'POST', 'coupon', { coupon, discount: '5%' });
    return { params: { coupon } };
  },
};
