// The work of the payments reconciler: notices, charges, refunds and methods that are due.
import { chargesDue } from '#store/payments/charges.ts';
import { methodsDue } from '#store/payments/methods.ts';
import { paymentNoticesDue } from '#store/payments/notices.ts';
import { refundsDue } from '#store/payments/refunds.ts';
import type { App } from '../app.ts';
import { performCharge } from './charges.ts';
import { performMethod } from './methods.ts';
import { processNotice } from './notices.ts';
import { performRefund } from './refunds.ts';

export interface PaymentTask {
  readonly name: string;
  perform(signal: AbortSignal): Promise<unknown>;
}

/** Returns what is due, at most `limit` of each kind. */
export async function listPaymentTasks(app: App, limit: number): Promise<PaymentTask[]> {
  const { queries } = app.store;
  const now = app.clock.now();
  const task = (kind: string, id: number, perform: PaymentTask['perform']) => ({ name: `${kind} ${id}`, perform });
  return [
    ...(await paymentNoticesDue(queries, now, limit)).map((row) =>
      task('notice', row.id, (signal) => processNotice(app, row, signal)),
    ),
    ...(await chargesDue(queries, now, limit)).map((row) =>
      task('charge', row.id, (signal) => performCharge(app, row, signal)),
    ),
    ...(await refundsDue(queries, now, limit)).map((row) =>
      task('refund', row.id, (signal) => performRefund(app, row, signal)),
    ),
    ...(await methodsDue(queries, now, limit)).map((row) =>
      task('method', row.id, (signal) => performMethod(app, row, signal)),
    ),
  ].slice(0, limit);
}
