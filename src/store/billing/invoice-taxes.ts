// The VAT breakdown of invoices. Written with the invoice and never changed.
import type { Selectable } from 'kysely';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { InvoiceTaxTable } from './tables.ts';

export type InvoiceTax = Selectable<InvoiceTaxTable>;

export const invoiceTaxesInsert = preparedInsert('invoice_taxes');

/** Returns the breakdown in order; empty for an invoice without one. */
export async function invoiceTaxes(queries: Queries, account: AccountId, invoice: number): Promise<InvoiceTax[]> {
  return selectWhere(queries, 'invoice_taxes', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('position')
    .execute();
}
