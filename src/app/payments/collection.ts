// Automatic collection: charges the default payment methods of customers whose invoices are due. Creating the charge is
// one transaction under the account's lock, so that two instances start one charge.
import { ApiError } from '#lib/api-error.ts';
import { dayOf } from '#lib/time.ts';
import { billingAccountLock } from '#store/billing/billing-accounts.ts';
import { invoicesOpen } from '#store/billing/invoices.ts';
import { chargesOfInvoice } from '#store/payments/charges.ts';
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
    for (const invoice of due) if (await collectInvoice(app, settings, invoice, dayOf(now))) started++;
  }
}

async function collectInvoice(
  app: App,
  settings: CollectionSettings,
  { id, account_id: account, due_day, method_id, driver }: Collectible,
  today: number,
): Promise<boolean> {
  const isDue = async (queries = app.store.queries): Promise<number | undefined> => {
    const charges = await chargesOfInvoice(queries, account, id);
    if (!isAttemptDue({ due_day }, charges, method_id, today, settings)) return undefined;
    return 1 + charges.reduce((most, { attempt }) => Math.max(most, attempt), 0);
  };
  // Most are not due, and need no lock.
  if ((await isDue()) === undefined) return false;
  return app.store.transaction(async (queries) => {
    await billingAccountLock(queries, account);
    const attempt = await isDue(queries);
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
