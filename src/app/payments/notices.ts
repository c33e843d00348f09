// Notices of payment providers: authenticated, stored, acknowledged, and then processed by the reconciler. A notice may
// arrive before the response that it is about, so one that cannot be matched yet is tried again for a day.
import { ForgedNoticeError, type PaymentNotice, type NoticeHeaders } from '#drivers/payment/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import { growingDelay } from '#lib/delays.ts';
import { chargeByExternalId, chargeByKey, chargeChange, type Charge } from '#store/payments/charges.ts';
import { methodByKey, methodChange } from '#store/payments/methods.ts';
import * as store from '#store/payments/notices.ts';
import { refundByKey } from '#store/payments/refunds.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { App } from '../app.ts';
import { paymentReconciler, performCharge } from './charges.ts';
import { findPaymentDriver } from './drivers.ts';
import { performMethod } from './methods.ts';
import { recordForeignRefund, reverseForeignRefund, settleRefund } from './refunds.ts';
import { chargeBack, reverseChargeback, settleCharge } from './settle.ts';

const delays = { shortestMs: 2000, longestMs: 3_600_000 };
const giveUpMs = 86_400_000;
const maxErrorLength = 500;

/** Stores a notice before it is acknowledged. An unknown provider and a wrong signature get the same response. */
export async function receiveNotice(
  app: App,
  name: string,
  headers: NoticeHeaders,
  body: Buffer,
): Promise<'Recorded' | 'Ignored'> {
  const driver = await findPaymentDriver(app, app.store.queries, name);
  const notice = readNotice(
    () => driver?.readNotice?.(headers, body, app.clock.now()),
    driver?.readNotice !== undefined,
  );
  if (notice === undefined) return 'Ignored';
  const now = app.clock.now();
  await app.store.transaction(async (queries) => {
    const isNew = await store.paymentNoticeInsert(queries, {
      driver: name,
      event_id: notice.eventId,
      contents: JSON.stringify(notice),
      received_at: now,
      attempts: 0,
      error: '',
      next_look_at: now,
    });
    if (isNew) await reconcilerSignal(queries, paymentReconciler);
  });
  return 'Recorded';
}

function readNotice(read: () => PaymentNotice | undefined, isKnown: boolean): PaymentNotice | undefined {
  const message = 'The signature does not match any known sender.';
  if (!isKnown) throw new ApiError('unauthenticated', { message });
  try {
    return read();
  } catch (error) {
    if (error instanceof ForgedNoticeError) throw new ApiError('unauthenticated', { message, cause: error });
    throw error;
  }
}

/** Throws if the notice cannot be processed yet, after which it is due again a while later. */
export async function processNotice(app: App, stored: store.StoredNotice, signal: AbortSignal): Promise<void> {
  const { queries } = app.store;
  const attempts = stored.attempts + 1;
  try {
    await applyNotice(app, stored.driver, JSON.parse(stored.contents) as PaymentNotice, signal);
    await store.paymentNoticeChange(queries, stored.id, { attempts, error: '', next_look_at: null });
    app.authentication.forget();
  } catch (error) {
    const age = app.clock.now() - stored.received_at;
    await store.paymentNoticeChange(queries, stored.id, {
      attempts,
      error: String(error).slice(0, maxErrorLength),
      next_look_at: age > giveUpMs ? null : app.clock.now() + growingDelay(age, delays),
    });
    throw error;
  }
}

async function applyNotice(app: App, driver: string, { about }: PaymentNotice, signal: AbortSignal): Promise<void> {
  const { queries, transaction } = app.store;
  switch (about.type) {
    case 'charge': {
      const charge = requireCharge(await chargeByKey(queries, about.chargeKey));
      return void (await transaction((writing) => settleCharge(app, writing, charge.id, about.outcome)));
    }
    case 'checkout':
      return applyCheckout(app, about, signal);
    case 'refund': {
      const refund = about.refundKey === '' ? undefined : await refundByKey(queries, about.refundKey);
      if (refund !== undefined) return transaction((writing) => settleRefund(app, writing, refund.key, about.outcome));
      const { state, externalId } = about.outcome;
      if (state === 'submitted') return;
      const charge = requireCharge(await chargeByExternalId(queries, driver, about.chargeExternalId));
      const apply = state === 'succeeded' ? recordForeignRefund : reverseForeignRefund;
      return transaction((writing) => apply(app, writing, charge.id, { externalId, cents: about.cents }));
    }
    case 'chargeback':
    case 'chargeback reversed': {
      const charge = requireCharge(await chargeByExternalId(queries, driver, about.chargeExternalId));
      const { externalId: reference, cents, reason } = about;
      const apply = about.type === 'chargeback' ? chargeBack : reverseChargeback;
      return transaction((writing) => apply(app, writing, charge.id, { reference, cents, reason }));
    }
  }
}

/** The notice may arrive before the response that has the id of the page. */
async function applyCheckout(
  app: App,
  { key, externalId }: Extract<PaymentNotice['about'], { type: 'checkout' }>,
  signal: AbortSignal,
): Promise<void> {
  const { queries } = app.store;
  const charge = await chargeByKey(queries, key);
  if (charge !== undefined) {
    if (charge.state === 'succeeded') return;
    if (charge.checkout_id === '') await chargeChange(queries, charge, { checkout_id: externalId });
    return requireDone(await performCharge(app, { ...charge, checkout_id: externalId }, signal));
  }
  const method = await methodByKey(queries, key);
  if (method === undefined) throw new Error('the notice is about a page that is not known here');
  if (method.state !== 'pending') return;
  if (method.external_id === '') await methodChange(queries, method, { external_id: externalId });
  requireDone(await performMethod(app, { ...method, external_id: externalId }, signal));
}

function requireDone(isDone: boolean): void {
  if (!isDone) throw new Error('the page is being read already');
}

function requireCharge(charge: Charge | undefined): Charge {
  if (charge === undefined) throw new Error('the notice is about a charge that is not known here');
  return charge;
}
