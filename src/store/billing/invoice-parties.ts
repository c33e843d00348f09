// Seller and buyer as they were when an invoice was issued. Written once and never changed.
import { Type } from 'typebox';
import { pdfForms } from '#contract/shapes/invoice-delivery.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { InvoicePartiesTable } from './tables.ts';

const party = {
  name: Type.String(),
  street: Type.Array(Type.String()),
  city: Type.String(),
  postcode: Type.String(),
  state: Type.String(),
  country: Type.String(),
  email: Type.String(),
  vatNumber: Type.String(),
};
/** Empty if the invoice was issued before a site file named the seller. */
export const StoredSeller = Type.Partial(
  Type.Object({
    ...party,
    registration: Type.String(),
    iban: Type.String(),
    taxNumber: Type.String(),
    contact: Type.String(),
    phone: Type.String(),
    endpoint: Type.String(),
    electronicInvoices: Type.Array(Type.String()),
  }),
);
export const invoiceSeller = jsonColumn('invoice_parties.seller', StoredSeller);
export const invoiceBuyer = jsonColumn(
  'invoice_parties.buyer',
  Type.Object({
    ...party,
    reference: Type.Optional(Type.String()),
    endpoint: Type.Optional(Type.String()),
    pdf: Type.Optional(Type.Enum(pdfForms)),
  }),
);

const insert = preparedInsert('invoice_parties');
export async function invoicePartiesInsert(queries: Queries, parties: InvoicePartiesTable): Promise<void> {
  await insert(queries, [parties]);
}

export async function invoicePartiesFind(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<InvoicePartiesTable | undefined> {
  return selectWhere(queries, 'invoice_parties', { account_id: account, invoice_id: invoice })
    .selectAll()
    .executeTakeFirst();
}
