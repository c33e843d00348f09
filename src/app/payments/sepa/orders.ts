// Orders to the bank. A submitted charge becomes an order with a due date, which is announced to the customer in the same
// transaction; a submitted refund becomes an order that is paid with the next file.
import { addBusinessDays, nextBusinessDay } from '#drivers/payment/sepa/business-days.ts';
import { appendEvent } from '#events/append.ts';
import { moneyText } from '#lib/money.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import { chargeLoad, type Charge } from '#store/payments/charges.ts';
import { methodFind } from '#store/payments/methods.ts';
import type { PaymentRefund } from '#store/payments/refunds.ts';
import { mandateFind } from '#store/payments/sepa-mandates.ts';
import * as store from '#store/payments/sepa-orders.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { settleCharge } from '../settle.ts';
import type { SepaSettings } from './settings.ts';

const batchSize = 200;

export async function createOrders(app: App, settings: SepaSettings, signal: AbortSignal): Promise<void> {
  const { queries } = app.store;
  const charges = () => store.chargesWithoutOrder(queries, batchSize);
  for (let page = await charges(); page.length > 0 && !signal.aborted; page = await charges())
    for (const charge of page) await orderCharge(app, settings, charge);
  const refunds = () => store.refundsWithoutOrder(queries, batchSize);
  for (let page = await refunds(); page.length > 0 && !signal.aborted; page = await refunds())
    for (const refund of page) await orderRefund(app, refund);
}

/** The earliest day on which money can be collected that is announced now. */
function collectionDay({ noticeDays, leadDays }: SepaSettings, today: number): number {
  return Math.max(nextBusinessDay(today + noticeDays), addBusinessDays(today, leadDays));
}

async function orderCharge(app: App, settings: SepaSettings, charge: Charge): Promise<void> {
  const day = collectionDay(settings, dayOf(app.clock.now()));
  const { account_id: account, method_id: method, invoice_id, external_id, amount_cents } = charge;
  await app.store.transaction(async (queries) => {
    const mandate = await mandateFind(queries, account, method!);
    const stored = await methodFind(queries, account, method!);
    const order = { charge_id: charge.id, end_to_end_id: external_id };
    if (mandate === undefined || stored?.state !== 'active') return failCharge(app, queries, order, 'mandate_ended');
    const invoice = invoice_id === null ? undefined : await invoiceFind(queries, account, invoice_id);
    const isNew = await store.orderInsert(queries, {
      ...order,
      account_id: account,
      refund_id: null,
      method_id: method!,
      amount_cents,
      day,
      sequence: '',
      text: invoice === undefined ? 'Account credit' : `Invoice ${invoice.number}`,
      file_id: null,
    });
    if (!isNew) return;
    await appendEvent(app, queries, {
      account,
      type: 'payment.announced',
      data: {
        amount: moneyText(amount_cents),
        invoicenum: invoice?.number ?? '',
        date: dayNumberText(day),
        method: stored.label,
        mandate: mandate.reference,
        creditorid: settings.creditor.id,
      },
    });
  });
}

const failures = {
  mandate_ended: 'The direct debit mandate has ended.',
  already_paid: 'The invoice was paid or credited before the direct debit.',
  file_rejected: 'The bank rejected the file with this direct debit.',
} as const;

/** Needs a transaction. */
export async function failCharge(
  app: App,
  queries: Queries,
  { charge_id, end_to_end_id: externalId }: Pick<store.Order, 'charge_id' | 'end_to_end_id'>,
  code: keyof typeof failures,
): Promise<void> {
  const message = failures[code];
  await settleCharge(app, queries, charge_id, { state: 'failed', externalId, code, message, isRetryable: true });
}

async function orderRefund(app: App, refund: PaymentRefund): Promise<void> {
  await app.store.transaction(async (queries) => {
    const charge = (await chargeLoad(queries, refund.charge_id))!;
    await store.orderInsert(queries, {
      account_id: refund.account_id,
      charge_id: charge.id,
      refund_id: refund.id,
      method_id: charge.method_id!,
      end_to_end_id: refund.external_id,
      amount_cents: refund.amount_cents,
      day: dayOf(app.clock.now()),
      sequence: '',
      text: `Refund ${refund.reason}`,
      file_id: null,
    });
  });
}
