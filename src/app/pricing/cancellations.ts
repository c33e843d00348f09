// Cancellations: a customer ends a service at the earliest possible end, and staff on any day. Until then it can be withdrawn.
// After it, ended-services.ts terminates the service.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { pricingV2 } from '#contract/v2/pricing.ts';
import type { LastDay } from '#contract/shapes/pricing.ts';
import { conflict } from '#lib/api-error.ts';
import { dayNumber, dayNumberText, dayOf } from '#lib/time.ts';
import * as store from '#store/pricing/cancellations.ts';
import { machineDeletionFind } from '#store/devices/machine-deletions.ts';
import type { Service } from '#store/devices/services.ts';
import type { Context } from '../app.ts';
import { moveTermEnd } from '../billing/terms.ts';
import { resumeBilling } from '../machines/deletion-billing.ts';
import { endWithRights } from './price-announcements.ts';
import { anyService, currentTerms, holdBilling, ownService } from './own-service.ts';

const maxDaysAhead = 3650;

export async function deviceCancel(
  context: Context,
  { service: id, reason = '' }: InputOf<typeof pricingV2.deviceCancel>,
): Promise<Static<typeof LastDay>> {
  const service = await holdBilling(context, ownService, id);
  return endService(context, context, service, { reason, requested_by: 'customer' });
}

export async function serviceCancel(
  context: Context,
  { id, date, reason }: InputOf<typeof pricingOperator.serviceCancel>,
): Promise<Static<typeof LastDay>> {
  const service = await holdBilling(context, anyService, id);
  const acting = context.onBehalfOf(service.account_id);
  return endService(context, acting, service, { reason, requested_by: 'staff', ...(date !== undefined && { date }) });
}

interface Request {
  readonly reason: string;
  readonly requested_by: store.Cancellation['requested_by'];
  /** The last day; the earliest possible one by default. */
  readonly date?: string;
}

async function endService(
  { queries, app, ...context }: Context,
  acting: Context,
  service: Service,
  { date, ...request }: Request,
): Promise<Static<typeof LastDay>> {
  const account = service.account_id;
  const now = app.clock.now();
  const today = dayOf(now);
  const { terms, current } = await currentTerms({ ...context, queries, app }, service);
  if (current === undefined) throw conflict('The service is not billed, so there is nothing to cancel.');
  if ((await store.cancellationFind(queries, account, service.id)) !== undefined)
    throw conflict('The service is already cancelled.');
  const until_day =
    date === undefined
      ? await endWithRights(queries, account, terms, current, today)
      : chosenEnd(date, today, current.from_day);
  if (current.until_day !== null && current.until_day <= until_day)
    throw conflict(`The service already ends on ${dayNumberText(current.until_day - 1)}.`);
  const owner = { service_id: service.id, account_id: account };
  const otherwise_day = current.until_day;
  await store.cancellationPut(queries, { ...owner, until_day, otherwise_day, requested_at: now, ...request });
  await moveTermEnd(queries, account, current, until_day, today);
  const lastday = dayNumberText(until_day - 1);
  acting.emit('service.cancelled', { lastday }, service.id);
  return { lastday };
}

function chosenEnd(date: string, today: number, firstDay: number): number {
  const day = dayNumber(date);
  if (day === undefined || day < Math.max(today, firstDay) || day > today + maxDaysAhead)
    throw conflict('The last day must be today or later, in the next ten years.');
  return day + 1;
}

export async function deviceCancelWithdraw(context: Context, id: number): Promise<void> {
  const service = await holdBilling(context, ownService, id);
  const cancellation = await store.cancellationFind(context.queries, service.account_id, id);
  if (cancellation?.requested_by === 'staff')
    throw conflict('The provider has cancelled the service. Contact support.');
  await withdraw(context, context, service, 'customer');
}

export async function serviceCancelWithdraw(context: Context, id: number): Promise<void> {
  const service = await holdBilling(context, anyService, id);
  await withdraw(context, context.onBehalfOf(service.account_id), service, 'staff');
}

/** After the last day, only staff can withdraw it, as long as the service is not being terminated: it is then billed again from today. */
async function withdraw(
  context: Context,
  acting: Context,
  service: Service,
  by: store.Cancellation['requested_by'],
): Promise<void> {
  const { queries, app } = context;
  const account = service.account_id;
  const today = dayOf(app.clock.now());
  const cancellation = await store.cancellationFind(queries, account, service.id);
  if (cancellation === undefined) throw conflict('The service is not cancelled.');
  // Without an end, it would be billed for as long as nobody restores the machine.
  if ((await machineDeletionFind(queries, service.id)) !== undefined)
    throw conflict('The machine is deleted. Restore it first.');
  const { otherwise_day, ended_at } = cancellation;
  const { terms, current } = await currentTerms(context, service);
  if (current !== undefined) await moveTermEnd(queries, account, current, otherwise_day ?? undefined, today);
  else if (by === 'staff' && ended_at === null && (otherwise_day ?? Infinity) > today)
    await resumeBilling(context, service, { until_day: terms.at(-1)!.until_day, otherwise_day });
  else throw conflict('The service has ended, so the cancellation cannot be withdrawn.');
  await store.cancellationRemove(queries, account, service.id);
  acting.emit('service.cancellation.withdrawn', {}, service.id);
}
