// Automatic collection: charges the default payment methods of customers whose invoices are due. Creating the charge is
// one transaction under the account's lock, so that two instances start one charge.
import { ApiError } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoicesOpen } from '#store/billing/invoices.ts';
import { chargesOfInvoice, chargesOfInvoices, type Charge } from '#store/payments/charges.ts';
import { invoicesToCollect, type Collectible } from '#store/payments/collection.ts';
import type { App } from '../app.ts';
import { requireBilling } from '../billing/pause.ts';
import { isAttemptDue, type CollectionSettings } from './attempts.ts';
import { createCharge } from './charges.ts';
import { findPaymentSettings, getCollectionSettings } from './settings.ts';

const batchSize = 200;

/** Returns how many charges were started. Throws if billing is paused. */
export async function collectDueInvoices(app: App, signal?: AbortSignal): Promise<number> {
  const { queries } = app.store;
  const payments = await findPaymentSettings(app, queries);
  if (payments === undefined || payments.collect === false) return 0;
  const now = app.clock.now();
  await requireBilling(queries, now);
  const settings = await getCollectionSettings(app, queries);
  let started = 0;
  for (let after = 0; ;) {
    if (signal?.aborted === true) return started;
    const due = await invoicesToCollect(queries, dayOf(now), after, batchSize);
    if (due.length === 0) return started;
    after = due.at(-1)!.id;
    const ids = due.map(({ id }) => id);
    const charges = Map.groupBy(await chargesOfInvoices(queries, ids), ({ invoice_id }) => invoice_id);
    for (const invoice of due)
      // Most are not due, and need no lock.
      if (
        nextAttempt(settings, invoice, charges.get(invoice.id) ?? [], dayOf(now)) !== undefined &&
        (await collectInvoice(app, settings, invoice, dayOf(now)))
      )
        started++;
  }
}

/** Returns the number of the attempt that is due today, if there is one. */
function nextAttempt(
  settings: CollectionSettings,
  invoice: Collectible,
  charges: readonly Charge[],
  today: number,
): number | undefined {
  if (!isAttemptDue(invoice, charges, invoice.method_id, today, settings)) return undefined;
  return 1 + charges.reduce((most, { attempt }) => Math.max(most, attempt), 0);
}

async function collectInvoice(
  app: App,
  settings: CollectionSettings,
  collectible: Collectible,
  today: number,
): Promise<boolean> {
  const { id, account_id: account, method_id, driver } = collectible;
  return app.store.transaction(async (queries) => {
    await billingAccountLock(queries, account);
    const attempt = nextAttempt(settings, collectible, await chargesOfInvoice(queries, account, id), today);
    const invoice = (await invoicesOpen(queries, account)).find((open) => open.id === id);
    if (attempt === undefined || invoice === undefined) return false;
    try {
      await createCharge(app, queries, {
        account,
        driver,
        method: method_id,
        invoice: id,
        cents: invoice.open_cents,
        attempt,
      });
      return true;
    } catch (error) {
      if (error instanceof ApiError) return false;
      throw error;
    }
  });
}
