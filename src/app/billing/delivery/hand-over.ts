// Hands queued invoices to the access point, and asks what became of them. The document has the same identifier at each
// try, so that a process that dies after the access point took it only repeats itself.
import { AccessPointError, type AccessPoint, type DeliveryReport } from '#drivers/invoice-delivery/driver.ts';
import { createAccessPoint } from '#drivers/invoice-delivery/access-point.ts';
import { appendEvent, type AppendParts } from '#events/append.ts';
import { growingDelay } from '#lib/delays.ts';
import * as store from '#store/billing/invoice-deliveries.ts';
import { invoiceFind } from '#store/billing/invoices.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../../app.ts';
import { electronicAddress } from '../documents/invoice-document.ts';
import { peppolAddress } from '../documents/peppol-address.ts';
import { ublIdentifiers } from '../documents/ubl-invoice.ts';
import { createElectronicInvoice, isImpossible, loadInvoiceDocument } from '../invoice-documents.ts';
import { getDeliverySettings } from './settings.ts';
import { documentId, isFinal, nextDeliveryState } from './status.ts';

const retryDelays = { shortestMs: 60_000, longestMs: 6 * 3_600_000 };
const askDelays = { shortestMs: 5 * 60_000, longestMs: 24 * 3_600_000 };
/** Longer than the access point may take to answer. */
const claimMs = 90_000;
const maxProblemLength = 500;

export type DeliveryDeps = Pick<App, 'store' | 'secrets'> & AppendParts;

export function createDeliveryWork(app: DeliveryDeps) {
  return {
    async listDue(limit: number): Promise<readonly store.InvoiceDelivery[]> {
      const { queries } = app.store;
      if ((await getDeliverySettings(app.secrets, queries)) === undefined) return [];
      return store.deliveriesDue(queries, app.clock.now(), limit);
    },
    /** Throws if the access point does not answer, after which the delivery is due again a while later. */
    async handOver(due: store.InvoiceDelivery, signal: AbortSignal): Promise<void> {
      const settings = await getDeliverySettings(app.secrets, app.store.queries);
      if (settings === undefined) return;
      const claimed = { next_try_at: app.clock.now() + claimMs };
      if (!(await store.deliveryChange(app.store.queries, due, claimed))) return;
      const accessPoint = createAccessPoint(settings);
      try {
        if (due.state === 'sent') await ask(app, due, accessPoint, signal);
        else await send(app, due, accessPoint, signal);
      } catch (error) {
        if (error instanceof AccessPointError) await recordFailure(app, due, error);
        throw error;
      }
    },
  };
}

async function send(
  app: DeliveryDeps,
  due: store.InvoiceDelivery,
  accessPoint: AccessPoint,
  signal: AbortSignal,
): Promise<void> {
  const document = await createNetworkDocument(app.store.queries, due);
  if ('reason' in document) {
    await recordReport(app, due, { status: 'rejected', reference: '', reason: document.reason });
    return;
  }
  const { scheme, id } = document.receiver;
  await recordReport(app, due, await accessPoint.send(document, signal), { receiver: `${scheme}:${id}` });
}

/** Returns the reason if the invoice cannot be expressed in the format, or a party has no address in the network. */
async function createNetworkDocument(queries: Queries, due: store.InvoiceDelivery) {
  try {
    const document = await loadInvoiceDocument(queries, due.account_id, due.invoice_id);
    const { bytes } = await createElectronicInvoice(due.account_id, document, due.format);
    const addressOf = due.format === 'peppol' ? peppolAddress : electronicAddress;
    const [sender] = addressOf(document.seller);
    const [receiver] = addressOf(document.buyer);
    return {
      id: documentId(due),
      // The document cannot be created without them.
      sender: sender!,
      receiver: receiver!,
      ...ublIdentifiers(document.kind, due.format),
      xml: bytes,
    };
  } catch (error) {
    if (isImpossible(error)) return { reason: error.message };
    throw error;
  }
}

async function ask(
  app: DeliveryDeps,
  due: store.InvoiceDelivery,
  accessPoint: AccessPoint,
  signal: AbortSignal,
): Promise<void> {
  const report = await accessPoint.reportOn(documentId(due), signal);
  if (report === undefined) throw new AccessPointError('the access point no longer knows the document');
  await recordReport(app, due, report);
}

/**
 * Stores what the access point reported, and emits an event if the state changed. Returns false if the delivery has
 * changed since it was read.
 */
export async function recordReport(
  app: DeliveryDeps,
  due: store.InvoiceDelivery,
  report: DeliveryReport,
  more: { readonly receiver?: string } = {},
): Promise<boolean> {
  const now = app.clock.now();
  const state = nextDeliveryState(due.state, report);
  const sentAt = due.sent_at ?? (report.status === 'rejected' && due.state === 'queued' ? null : now);
  return app.store.transaction(async (queries) => {
    const isStored = await store.deliveryChange(queries, due, {
      ...more,
      state,
      reference: report.reference === '' ? due.reference : report.reference,
      reason: report.reason,
      problem: '',
      failing_since: null,
      sent_at: sentAt,
      ended_at: isFinal(state) ? now : null,
      next_try_at: isFinal(state) ? null : now + growingDelay(now - (sentAt ?? now), askDelays),
    });
    if (!isStored || state === due.state) return isStored;
    const invoice = await invoiceFind(queries, due.account_id, due.invoice_id);
    const data = { invoiceid: String(due.invoice_id), invoicenum: invoice?.number ?? '', state, reason: report.reason };
    await appendEvent(app, queries, { account: due.account_id, type: 'invoice.delivery.changed', data });
    return true;
  });
}

async function recordFailure(app: DeliveryDeps, due: store.InvoiceDelivery, error: Error): Promise<void> {
  const now = app.clock.now();
  const since = due.failing_since ?? now;
  await store.deliveryChange(app.store.queries, due, {
    problem: error.message.slice(0, maxProblemLength),
    failing_since: since,
    next_try_at: now + growingDelay(now - since, retryDelays),
  });
}
