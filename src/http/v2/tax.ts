// v2: tax data and e-invoices.
import type { taxV2 } from '#contract/v2/tax.ts';
import { electronicInvoiceFile } from '#app/billing/invoice-documents.ts';
import { taxGet, taxUpdate } from '#app/billing/tax/tax-data.ts';
import { respondWith, type HandlersOf } from '../handler.ts';

export const taxHandlers: HandlersOf<typeof taxV2> = {
  taxGet,
  taxUpdate: respondWith('Tax Data Updated', taxUpdate),
  invoiceXml: (context, { invoice, format }) => electronicInvoiceFile(context, invoice, format),
};
