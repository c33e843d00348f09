// Version 2: tax data of the account, and its invoices as e-invoices.
import { endpoint } from '../endpoint.ts';
import * as p from '../parameters.ts';
import { File } from '../shapes/file.ts';
import { deliveryWays, pdfForms } from '../shapes/invoice-delivery.ts';
import { customerKinds, invoiceAttachments, invoiceFormats } from '../shapes/tax.ts';
import { TaxData } from '../shapes/tax-data.ts';

/** What customers and staff set. */
export const taxFields = {
  kind: p.optional(p.Choice(...customerKinds)),
  vatnumber: p.clearable(p.VatNumber),
  reference: p.clearable(p.PersonLine),
  endpoint: p.clearable(p.InvoiceEndpoint),
  attachment: p.optional(p.Choice(...invoiceAttachments)),
  pdf: p.optional(p.Choice(...pdfForms)),
  delivery: p.optional(p.Choice(...deliveryWays)),
} as const;

export const taxV2 = {
  taxGet: endpoint({
    method: 'GET',
    path: '/v2/account/tax',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'Get the tax data',
    description: 'Your VAT number with the state of its validation, and the VAT of the next invoice.',
    result: TaxData,
  }),
  taxUpdate: endpoint({
    method: 'PUT',
    path: '/v2/account/tax',
    tag: 'account',
    access: 'account:write',
    effect: 'stored',
    addition: true,
    summary: 'Update the tax data',
    description:
      'A VAT number begins with the prefix of your country and needs the kind `business`. It is checked in the register within minutes; until the register confirms it, VAT is charged as for consumers. An empty value clears the field.',
    params: taxFields,
  }),
  invoiceXml: endpoint({
    method: 'GET',
    path: '/v2/account/invoice/xml',
    tag: 'account',
    access: 'billing:read',
    addition: true,
    summary: 'Download an invoice as e-invoice',
    description:
      'EN 16931 in the given `format`: `peppol` (UBL, Peppol BIS Billing 3.0), `xrechnung` (UBL, XRechnung 3.0) or `cii` (Cross Industry Invoice, as in Factur-X).',
    params: { invoice: p.Id, format: p.Choice(...invoiceFormats) },
    cost: 25,
    file: 'application/xml',
    result: File,
    errors: ['state_conflict'],
  }),
} as const;
