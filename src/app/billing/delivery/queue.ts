// Queues invoices for the e-invoicing network, in the transaction that issues them: each that was issued for a customer
// who wants it is sent, and nothing that was not issued.
import { networkFormats, type NetworkFormat } from '#contract/shapes/invoice-delivery.ts';
import { ApiError, conflict, requireFound } from '#lib/api-error.ts';
import type { AccountId } from '#store/account-id.ts';
import { accountTaxFind } from '#store/billing/account-taxes.ts';
import * as store from '#store/billing/invoice-deliveries.ts';
import { invoiceLoad } from '#store/billing/invoices.ts';
import type { Queries } from '#store/store.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import type { Context } from '../../app.ts';
import { hasAccessPoint } from './settings.ts';

const maxAttempts = 1000;

/** Does nothing if the customer does not want it, or the provider has no access point. */
export async function queueDelivery(queries: Queries, account: AccountId, invoice: number, now: number): Promise<void> {
  const data = await accountTaxFind(queries, account);
  if (data?.delivery !== 'network' || !(await hasAccessPoint(queries))) return;
  await insertDelivery(queries, { account_id: account, invoice_id: invoice, attempt: 1 }, formatOf(data), now);
}

/** For staff: sends an invoice that was rejected, or never sent. */
export async function invoiceDeliver({ app, queries, onBehalfOf }: Context, id: number): Promise<void> {
  const invoice = requireFound(await invoiceLoad(queries, id));
  onBehalfOf(invoice.account_id);
  if (!(await hasAccessPoint(queries)))
    throw conflict('The site file does not configure an access point. Add invoiceDelivery to it.');
  const earlier = await store.deliveriesOfInvoice(queries, invoice.account_id, id);
  const last = earlier.at(-1);
  if (last !== undefined && last.state !== 'rejected')
    throw new ApiError('already_exists', { message: `This invoice is already ${last.state}.` });
  if (earlier.length >= maxAttempts)
    throw conflict('This invoice has been sent too many times. Deliver it in another way.');
  const format = formatOf(await accountTaxFind(queries, invoice.account_id));
  const next = { account_id: invoice.account_id, invoice_id: id, attempt: (last?.attempt ?? 0) + 1 };
  await insertDelivery(queries, next, format, app.clock.now());
}

/** The syntax of the attachment, if the network carries it. */
function formatOf(data: { readonly attachment: string } | undefined): NetworkFormat {
  return networkFormats.find((format) => format === data?.attachment) ?? 'peppol';
}

async function insertDelivery(
  queries: Queries,
  identity: { readonly account_id: AccountId; readonly invoice_id: number; readonly attempt: number },
  format: NetworkFormat,
  now: number,
): Promise<void> {
  await store.deliveryInsert(queries, {
    ...identity,
    format,
    state: 'queued',
    receiver: '',
    reference: '',
    reason: '',
    problem: '',
    queued_at: now,
    sent_at: null,
    ended_at: null,
    failing_since: null,
    next_try_at: now,
  });
  await reconcilerSignal(queries, store.deliveryReconciler);
}
