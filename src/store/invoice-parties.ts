// Who billed whom, as it was when an invoice was issued. Written once and never changed.
import type { Queries } from './store.ts';
import type { AccountId } from './tables.ts';

export interface InvoicePartiesTable {
  invoice_id: number;
  account_id: AccountId;
  /** JSON, both. */
  seller: string;
  buyer: string;
}

export async function invoicePartiesInsert(queries: Queries, parties: InvoicePartiesTable): Promise<void> {
  await queries.insertInto('invoice_parties').values(parties).execute();
}

export async function invoicePartiesFind(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<InvoicePartiesTable | undefined> {
  return queries
    .selectFrom('invoice_parties')
    .selectAll()
    .where('account_id', '=', account)
    .where('invoice_id', '=', invoice)
    .executeTakeFirst();
}
