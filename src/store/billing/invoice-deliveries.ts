// Invoices on their way through the e-invoicing network.
import type { Insertable, Selectable } from 'kysely';
import type { DeliveryState } from '#contract/shapes/invoice-delivery.ts';
import { preparedInsert } from '../engine/prepared-rows.ts';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import type { InvoiceDeliveryTable } from './invoice-delivery-tables.ts';

export type InvoiceDelivery = Selectable<InvoiceDeliveryTable>;
export type DeliveryWithNumber = InvoiceDelivery & { readonly number: string };

/** The reconciler that hands invoices over and asks for their state. */
export const deliveryReconciler = 'invoice-delivery';

const insert = preparedInsert('invoice_deliveries');
export async function deliveryInsert(queries: Queries, row: Insertable<InvoiceDeliveryTable>): Promise<void> {
  await insert(queries, [row]);
}

export async function deliveriesOfInvoice(
  queries: Queries,
  account: AccountId,
  invoice: number,
): Promise<InvoiceDelivery[]> {
  return selectWhere(queries, 'invoice_deliveries', { account_id: account, invoice_id: invoice })
    .selectAll()
    .orderBy('attempt')
    .execute();
}

/** Finds the delivery of any account that a document identifier stands for. */
export async function deliveryFind(
  queries: Queries,
  invoice: number,
  attempt: number,
): Promise<InvoiceDelivery | undefined> {
  return selectWhere(queries, 'invoice_deliveries', { invoice_id: invoice, attempt }).selectAll().executeTakeFirst();
}

/** Returns those that are to be sent or asked about, the longest due first. */
export async function deliveriesDue(queries: Queries, now: number, limit: number): Promise<InvoiceDelivery[]> {
  return queries
    .selectFrom('invoice_deliveries')
    .selectAll()
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(limit)
    .execute();
}

/** Changes a delivery that is still in the given state. Returns false if another instance or a report was faster. */
export async function deliveryChange(
  queries: Queries,
  { id, state }: Pick<InvoiceDelivery, 'id' | 'state'>,
  change: Partial<Omit<InvoiceDelivery, 'id' | 'account_id' | 'invoice_id' | 'attempt'>>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'invoice_deliveries', { id, state }).set(change).returning('id'));
}

/** Returns since when the longest failing delivery has been failing. */
export async function deliveryFailingSince(queries: Queries): Promise<number | undefined> {
  const { since } = await queries
    .selectFrom('invoice_deliveries')
    .select((select) => select.fn.min('failing_since').as('since'))
    .where('next_try_at', 'is not', null)
    .executeTakeFirstOrThrow();
  return since ?? undefined;
}

export interface DeliveryFilter {
  readonly account?: AccountId;
  readonly state?: DeliveryState;
  readonly before?: number;
  readonly limit: number;
}
/** Returns a page, newest first. */
export async function deliveryPage(
  queries: Queries,
  { account, state, before, limit }: DeliveryFilter,
): Promise<DeliveryWithNumber[]> {
  let query = queries
    .selectFrom('invoice_deliveries')
    .innerJoin('invoices', 'invoices.id', 'invoice_deliveries.invoice_id')
    .selectAll('invoice_deliveries')
    .select('invoices.number');
  if (account !== undefined) query = query.where('invoice_deliveries.account_id', '=', account);
  if (state !== undefined) query = query.where('invoice_deliveries.state', '=', state);
  if (before !== undefined) query = query.where('invoice_deliveries.id', '<', before);
  return query.orderBy('invoice_deliveries.id', 'desc').limit(limit).execute();
}
