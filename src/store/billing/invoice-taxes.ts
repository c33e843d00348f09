// The VAT breakdown of invoices. Written with the invoice and never changed.
import type { Selectable } from 'kysely';
import { preparedRows } from '../engine/prepared.ts';
import { selectWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { InvoiceTaxTable } from './tables.ts';

export type InvoiceTax = Selectable<InvoiceTaxTable>;

const insert = preparedRows((queries: Queries, taxes: readonly InvoiceTax[]) =>
  queries.insertInto('invoice_taxes').values(taxes),
);
export async function invoiceTaxesInsert(queries: Queries, taxes: readonly InvoiceTax[]): Promise<void> {
  if (taxes.length > 0) await insert(queries, taxes);
}

/** Returns the breakdown in order; empty for an invoice without one. */
export async function invoiceTaxes(queries: Queries, account: AccountId, invoice: number): Promise<InvoiceTax[]> {
  return selectWhere(queries, 'invoice_taxes', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('position')
    .execute();
}
