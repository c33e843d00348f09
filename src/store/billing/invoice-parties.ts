// Who billed whom, as it was when an invoice was issued. Written once and never changed.
import { prepared } from '../engine/prepared.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface InvoicePartiesTable {
  invoice_id: number;
  account_id: AccountId;
  /** JSON, both. */
  seller: string;
  buyer: string;
}

const insert = prepared((queries: Queries, { invoice_id, account_id, seller, buyer }: InvoicePartiesTable) =>
  queries.insertInto('invoice_parties').values({ invoice_id, account_id, seller, buyer }).returning('invoice_id'),
);
export async function invoicePartiesInsert(queries: Queries, parties: InvoicePartiesTable): Promise<void> {
  await insert(queries, parties);
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
