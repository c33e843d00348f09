// Deliveries of e-invoices as customers and staff see them.
import type { Static } from 'typebox';
import type { InputOf } from '#contract/endpoint.ts';
import type { currencyOperator } from '#contract/operator/currency.ts';
import type { DeliveryItem, OperatorDeliveryItem } from '#contract/shapes/delivery-list.ts';
import type { statementV2 } from '#contract/v2/statement.ts';
import { requireFound } from '#lib/api-error.ts';
import { pickDefined } from '#lib/defined.ts';
import { timeText } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import * as store from '#store/billing/invoice-deliveries.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import type { App, Context } from '../../app.ts';
import { documentId } from './status.ts';

const perPage = 100;

export async function invoiceDeliveryList(
  { queries, caller }: Context,
  { invoice, limit = perPage, before }: InputOf<typeof statementV2.invoiceDeliveryList>,
): Promise<Static<typeof DeliveryItem>[]> {
  const { account } = caller;
  if (invoice === undefined)
    return (await store.deliveryPage(queries, { account, limit, ...pickDefined({ before }) })).map(describe);
  const { number } = requireFound(await invoiceFind(queries, account, invoice));
  const rows = await store.deliveriesOfInvoice(queries, account, invoice);
  return rows.toReversed().map((row) => describe({ ...row, number }));
}

export async function operatorDeliveryList(
  { queries }: Context,
  { account, state, limit = perPage, before }: InputOf<typeof currencyOperator.deliveryList>,
): Promise<Static<typeof OperatorDeliveryItem>[]> {
  const filter = { limit, ...pickDefined({ account: account as AccountId | undefined, state, before }) };
  return (await store.deliveryPage(queries, filter)).map((row) => ({
    ...describe(row),
    account: String(row.account_id),
    reference: row.reference,
    problem: row.problem,
    nexttry: timeOrNull(row.next_try_at),
  }));
}

/** Returns zero if every e-invoice was taken, or is not due yet. */
export async function deliveryFailingSeconds(app: Pick<App, 'store' | 'clock'>): Promise<number> {
  const since = await store.deliveryFailingSince(app.store.queries);
  return since === undefined ? 0 : Math.max(0, app.clock.now() - since) / 1000;
}

function describe(row: store.DeliveryWithNumber): Static<typeof DeliveryItem> {
  return {
    id: String(row.id),
    invoiceid: String(row.invoice_id),
    invoicenum: row.number,
    documentid: documentId(row),
    format: row.format,
    state: row.state,
    receiver: row.receiver,
    reason: row.reason,
    queued: timeText(row.queued_at),
    sent: timeOrNull(row.sent_at),
    ended: timeOrNull(row.ended_at),
  };
}

function timeOrNull(time: number | null): string | null {
  return time === null ? null : timeText(time);
}
