// Ends cancelled services: their customer gets a final notice some days before, and after the last day the same workflow
// runs as when staff terminate a service. Each happens once. Staff can hold it.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { pricingOperator } from '#contract/operator/pricing.ts';
import type { CancellationEntry } from '#contract/shapes/pricing.ts';
import { appendEvent } from '#events/append.ts';
import { conflict } from '#lib/api-error.ts';
import { dayMs, dayNumberText, dayOf, dayText, timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { termsOfService } from '#store/billing/service-terms.ts';
import { serviceLoad } from '#store/devices/services.ts';
import { runningWorkflowNames, serviceLock } from '#store/operator/operator-services.ts';
import * as store from '#store/pricing/cancellations.ts';
import type { Queries } from '#store/store.ts';
import { serviceTerminate } from '#workflows/service/service-terminate.ts';
import type { App, Context } from '../app.ts';
import { pageLength } from '../operator/accounts.ts';
import { startTermination } from '../operator/service-states.ts';
import { anyService } from './own-service.ts';

const noticeDays = 3;
/** A service that is cancelled at the last moment runs this long after the notice, so that data can be saved. */
const shortestNoticeMs = dayMs;
const pageSize = 100;

type Parts = Pick<App, 'store' | 'clock' | 'queue'>;

/** Returns how many services have ended and are not terminated yet. */
export async function endCancelledServices(app: Parts, signal?: AbortSignal): Promise<number> {
  const now = app.clock.now();
  let left = 0;
  for (let after = { day: 0, service: 0 }; ;) {
    const page = await store.cancellationsToEnd(app.store.queries, dayOf(now) + noticeDays + 1, {
      after,
      limit: pageSize,
    });
    for (const cancellation of page) {
      if (signal?.aborted === true) return left;
      const { account_id, service_id, until_day, noticed_at } = cancellation;
      const isDue = noticed_at === null || now >= terminationTime(cancellation);
      const isEnded =
        isDue && (await app.store.transaction((queries) => advance(app, queries, account_id, service_id)));
      if (!isEnded && until_day <= dayOf(now)) left++;
    }
    if (page.length < pageSize) return left;
    const last = page.at(-1)!;
    after = { day: last.until_day, service: last.service_id };
  }
}

/** Takes the next step that is due, in the caller's transaction. Returns true if nothing is left to do. */
async function advance(app: Parts, queries: Queries, account: AccountId, id: number): Promise<boolean> {
  // Withdrawing and holding take the same lock.
  await billingAccountLock(queries, account);
  const cancellation = await store.cancellationFind(queries, account, id);
  if (cancellation === undefined || cancellation.ended_at !== null || cancellation.held_at !== null) return true;
  const { until_day, noticed_at } = cancellation;
  const now = app.clock.now();
  const service = await serviceLock(queries, id);
  if (service?.account_id !== account || service.status === 'Terminated')
    return store.cancellationChange(queries, account, id, { ended_at: now });
  // A service that is billed continues, in spite of its cancellation.
  const terms = await termsOfService(queries, account, id);
  if (terms.some((term) => term.until_day === null || term.until_day > until_day)) return true;
  if (noticed_at === null) {
    await store.cancellationChange(queries, account, id, { noticed_at: now });
    const data = {
      lastday: dayNumberText(until_day - 1),
      termination: dayText(terminationTime({ until_day, noticed_at: now })),
    };
    await appendEvent(app, queries, { account, service: id, type: 'service.termination.announced', data });
    return false;
  }
  if (now < terminationTime({ until_day, noticed_at })) return false;
  if ((await runningWorkflowNames(queries, id)).includes(serviceTerminate.name)) return false;
  const workflow = await startTermination({ app, queries }, service, 'cancellation', 'power');
  return store.cancellationChange(queries, account, id, { ended_at: now, workflow });
}

function terminationTime({ until_day, noticed_at }: Pick<store.Cancellation, 'until_day' | 'noticed_at'>): number {
  const noticed = noticed_at ?? (until_day - noticeDays) * dayMs;
  return Math.max(until_day * dayMs, noticed + shortestNoticeMs);
}

export async function cancellationHold(
  context: Context,
  { id, reason }: InputOf<typeof pricingOperator.cancellationHold>,
): Promise<void> {
  const { account_id, held_at } = await lockCancellation(context, id);
  if (held_at !== null) throw conflict('The termination of this service is already held.');
  const change = { held_at: context.app.clock.now(), hold_reason: reason };
  await store.cancellationChange(context.queries, account_id, id, change);
}

/** The customer gets another final notice, because the first may be long ago. */
export async function cancellationRelease(context: Context, id: number): Promise<void> {
  const { account_id, held_at } = await lockCancellation(context, id);
  if (held_at === null) throw conflict('The termination of this service is not held.');
  const change = { held_at: null, hold_reason: '', noticed_at: null };
  await store.cancellationChange(context.queries, account_id, id, change);
}

/** Returns the cancellation of a service whose termination has not started. */
async function lockCancellation(context: Context, id: number): Promise<store.Cancellation> {
  const { queries } = context;
  const { account_id } = await anyService(context, id);
  await billingAccountLock(queries, account_id);
  const cancellation = await store.cancellationFind(queries, account_id, id);
  if (cancellation === undefined) throw conflict('The service is not cancelled.');
  if (cancellation.ended_at !== null) throw conflict('The termination of this service has started.');
  context.onBehalfOf(account_id);
  return cancellation;
}

export async function cancellationList(
  { queries }: Context,
  { limit = pageLength, after }: InputOf<typeof pricingOperator.cancellationList>,
): Promise<Static<typeof CancellationEntry>[]> {
  // The page continues after the end and number of a service.
  const last = after === undefined ? undefined : await serviceLoad(queries, after);
  const cancelled = last && (await store.cancellationFind(queries, last.account_id, last.id));
  const start = { day: cancelled?.until_day ?? 0, service: cancelled?.service_id ?? 0 };
  return (await store.cancellationPage(queries, { after: start, limit })).map((row) => ({
    service: String(row.service_id),
    account: String(row.account_id),
    hostname: row.hostname,
    status: row.status,
    lastday: dayNumberText(row.until_day - 1),
    requested: timeText(row.requested_at),
    requestedby: row.requested_by,
    reason: row.reason,
    ending: endingOf(row),
    termination: dayText(terminationTime(row)),
    holdreason: row.hold_reason,
  }));
}

function endingOf(row: store.CancelledService): Static<typeof CancellationEntry>['ending'] {
  if (row.held_at !== null) return 'held';
  if (row.workflow !== null)
    return ['Queued', 'Running'].includes(row.workflow_status ?? '') ? 'terminating' : 'failed';
  return row.noticed_at === null ? 'planned' : 'announced';
}
