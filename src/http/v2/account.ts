// v2: account, billing and contacts.
import type { Handlers } from '#contract/endpoint.ts';
import type { accountV2 } from '#contract/v2/account.ts';
import { accountGet, balanceGet } from '#app/account/accounts.ts';
import { contactCreate, contactDelete, contactGet, contactSettings, contactUpdate } from '#app/account/contacts.ts';
import { invoiceFile } from '#app/billing/invoice-documents.ts';
import { invoiceGet, invoiceList } from '#app/billing/invoices.ts';
import type { Context, Visitor } from '#app/app.ts';
import { invalid } from '#lib/api-error.ts';

export const accountHandlers: Handlers<typeof accountV2, Context, Visitor> = {
  accountGet,
  balanceGet,
  invoiceGet: (context, { status, invoice }) => {
    if (status !== undefined && invoice !== undefined) throw invalid({ invoice: 'cannot be combined with status' });
    return invoice === undefined ? invoiceList(context, status) : invoiceGet(context, invoice);
  },
  invoicePdf: (context, { invoice }) => invoiceFile(context, invoice),
  contactGet: (context, { id }) => contactGet(context, id),
  contactCreate,
  contactUpdate: async (context, { id, ...fields }) => {
    await contactUpdate(context, id, fields);
    return 'Contact Updated';
  },
  contactDelete: async (context, { id }) => {
    await contactDelete(context, id);
    return 'Contact Deleted';
  },
  contactSettings: async (context, { id, ...settings }) => {
    await contactSettings(context, id, settings);
    return 'Contact Updated';
  },
};
