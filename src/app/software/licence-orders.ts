// Orders of licences that are never delivered: the customer cancelled them, the service was terminated, or no key came in time.
import { appendEvent, type AppendParts } from '#events/append.ts';
import { dayNumberText, dayOf } from '#lib/time.ts';
import type { AccountId } from '#store/account-id.ts';
import { invoicesOfSubject } from '#store/billing/charges.ts';
import { invoiceCorrections, invoiceFind } from '#store/billing/invoices.ts';
import { licenceWithdraw } from '#store/billing/licences.ts';
import type { Queries } from '#store/store.ts';
import type { LicenceActions } from '#workflows/billing/licence-order.ts';
import { cancelInvoice, isCredited } from '../billing/corrections.ts';
import { licenceSubject } from '../billing/licences.ts';

export function createLicenceActions(parts: AppendParts): LicenceActions {
  return { withdraw: (...order) => withdrawLicence(parts, ...order) };
}

/** Ends the order at once and credits its invoice. Returns false if it was delivered. Needs a transaction. */
export async function withdrawLicence(
  parts: AppendParts,
  queries: Queries,
  account: AccountId,
  id: number,
  reason: string,
): Promise<boolean> {
  const today = dayOf(parts.clock.now());
  const licence = await licenceWithdraw(queries, account, id, today);
  if (licence === undefined) return false;
  for (const invoiceId of await invoicesOfSubject(queries, account, licenceSubject({ id }))) {
    const invoice = await invoiceFind(queries, account, invoiceId);
    if (invoice === undefined || invoice.status === 'Cancelled') continue;
    if (isCredited(invoice, await invoiceCorrections(queries, account, invoiceId))) continue;
    await cancelInvoice(parts, queries, invoice.number, `${licence.name}: ${reason}`);
  }
  const data = { orderid: String(id), license: licence.name, until: dayNumberText(today - 1) };
  await appendEvent(parts, queries, { account, service: licence.service_id, type: 'software.cancelled', data });
  return true;
}
