// v2: account, billing and contacts.
import type { accountV2 } from '#contract/v2/account.ts';
import { accountGet, balanceGet } from '#app/account/accounts.ts';
import { contactCreate, contactDelete, contactGet, contactSettings, contactUpdate } from '#app/account/contacts.ts';
import { invoiceFile } from '#app/billing/invoice-documents.ts';
import { invoiceGet, invoiceList } from '#app/billing/invoices.ts';
import { invalid } from '#lib/api-error.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const accountHandlers: HandlersOf<typeof accountV2> = {
  accountGet,
  balanceGet,
  invoiceGet: (context, { status, invoice }) => {
    if (status !== undefined && invoice !== undefined) throw invalid({ invoice: 'cannot be combined with status' });
    return invoice === undefined ? invoiceList(context, status) : invoiceGet(context, invoice);
  },
  invoicePdf: (context, { invoice }) => invoiceFile(context, invoice),
  contactGet: (context, { id }) => contactGet(context, id),
  contactCreate,
  contactUpdate: respondWith('Contact Updated', (context, { id, ...fields }) => contactUpdate(context, id, fields)),
  contactDelete: respondWith('Contact Deleted', (context, { id }) => contactDelete(context, id)),
  contactSettings: respondWith('Contact Updated', (context, { id, ...settings }) =>
    contactSettings(context, id, settings),
  ),
};
