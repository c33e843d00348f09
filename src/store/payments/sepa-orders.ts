// Orders to the bank, and the files that contain them. An order is in at most one file.
import { sql, type Insertable, type Selectable } from 'kysely';
import { affectsRows, deleteWhere, insertNew, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import { unpaidCents, type NewestPage } from '../billing/invoices.ts';
import type { Queries } from '../store.ts';
import type { Charge } from './charges.ts';
import type { PaymentRefund } from './refunds.ts';
import type { SepaFileTable, SepaOrderTable } from './sepa-tables.ts';

export type Order = Selectable<SepaOrderTable>;
export type BankFile = Selectable<SepaFileTable>;
export type FileKind = BankFile['kind'];

/** Returns false if the charge or refund already has an order. */
export async function orderInsert(queries: Queries, order: Insertable<SepaOrderTable>): Promise<boolean> {
  return affectsRows(insertNew(queries, 'sepa_orders', order).returning('id'));
}

export async function orderByReference(queries: Queries, endToEndId: string): Promise<Order | undefined> {
  return selectWhere(queries, 'sepa_orders', { end_to_end_id: endToEndId }).selectAll().executeTakeFirst();
}

/** Returns submitted charges that have no order yet. */
export async function chargesWithoutOrder(queries: Queries, limit: number): Promise<Charge[]> {
  return selectWhere(queries, 'payment_charges', { driver: 'sepa', state: 'submitted' })
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sepa_orders')
            .select('sepa_orders.id')
            .whereRef('sepa_orders.charge_id', '=', 'payment_charges.id')
            .where('sepa_orders.refund_id', 'is', null),
        ),
      ),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns submitted refunds of this driver's charges that have no order yet. */
export async function refundsWithoutOrder(queries: Queries, limit: number): Promise<PaymentRefund[]> {
  return queries
    .selectFrom('payment_refunds')
    .innerJoin('payment_charges', 'payment_charges.id', 'payment_refunds.charge_id')
    .selectAll('payment_refunds')
    .where('payment_refunds.state', '=', 'submitted')
    .where('payment_charges.driver', '=', 'sepa')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sepa_orders')
            .select('sepa_orders.id')
            .whereRef('sepa_orders.refund_id', '=', 'payment_refunds.id'),
        ),
      ),
    )
    .orderBy('payment_refunds.id')
    .limit(limit)
    .execute();
}

/** The current state of the charge, mandate and invoice of an order. */
export interface WaitingOrder extends Order {
  readonly charge_state: Charge['state'];
  readonly method_state: string | null;
  /** Null if the charge is for no invoice. */
  readonly invoice_open_cents: number | null;
}

/** Returns orders that are in no file and due on this day or before, oldest first. */
export async function ordersWaiting(
  queries: Queries,
  kind: FileKind,
  untilDay: number,
  limit: number,
): Promise<WaitingOrder[]> {
  return queries
    .selectFrom('sepa_orders')
    .innerJoin('payment_charges', 'payment_charges.id', 'sepa_orders.charge_id')
    .leftJoin('payment_methods', 'payment_methods.id', 'sepa_orders.method_id')
    .leftJoin('invoices', 'invoices.id', 'payment_charges.invoice_id')
    .selectAll('sepa_orders')
    .select([
      'payment_charges.state as charge_state',
      'payment_methods.state as method_state',
      sql<
        number | null
      >`case when invoices.status = 'Unpaid' then ${unpaidCents} when invoices.id is not null then 0 end`.as(
        'invoice_open_cents',
      ),
    ])
    .where('sepa_orders.file_id', 'is', null)
    .where('sepa_orders.refund_id', kind === 'debit' ? 'is' : 'is not', null)
    .where('sepa_orders.day', '<=', untilDay)
    .orderBy('sepa_orders.id')
    .limit(limit)
    .execute();
}

/** Puts waiting orders into a file. Returns how many were not in one. */
export async function ordersFile(
  queries: Queries,
  orders: readonly number[],
  filed: Partial<Pick<Order, 'file_id' | 'sequence' | 'day'>>,
): Promise<number> {
  const filing = updateWhere(queries, 'sepa_orders', { file_id: null }).set(filed);
  return (await rowsInBatches(orders, (batch) => filing.where('id', 'in', batch).returning('id'))).length;
}

/** Removes an order whose mandate or charge has ended. Returns false if it is in a file. */
export async function orderRemove(queries: Queries, id: number): Promise<boolean> {
  return affectsRows(deleteWhere(queries, 'sepa_orders', { id, file_id: null }).returning('id'));
}

export async function ordersOfFile(queries: Queries, file: number): Promise<Order[]> {
  return selectWhere(queries, 'sepa_orders', { file_id: file }).selectAll().orderBy('id').execute();
}

/** Returns undefined if there is a file with this message id. */
export async function fileInsert(queries: Queries, file: Insertable<SepaFileTable>): Promise<number | undefined> {
  return (await insertNew(queries, 'sepa_files', file, ['message_id']).returning('id').executeTakeFirst())?.id;
}

export async function fileFind(queries: Queries, id: number): Promise<BankFile | undefined> {
  return selectWhere(queries, 'sepa_files', { id }).selectAll().executeTakeFirst();
}

export async function fileByMessage(queries: Queries, messageId: string): Promise<BankFile | undefined> {
  return selectWhere(queries, 'sepa_files', { message_id: messageId }).selectAll().executeTakeFirst();
}

/** Records what became of a file, if its state is still the one that was read. */
export async function fileDecide(
  queries: Queries,
  { id, state }: Pick<BankFile, 'id' | 'state'>,
  decision: Pick<BankFile, 'state' | 'decided_at' | 'operator'>,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'sepa_files', { id, state }).set(decision).returning('id'));
}

/** Returns orders of rejected files whose charge or refund is not decided yet. */
export async function ordersRejected(
  queries: Queries,
  limit: number,
): Promise<(Order & { refund_key: string | null })[]> {
  return queries
    .selectFrom('sepa_orders')
    .innerJoin('sepa_files', 'sepa_files.id', 'sepa_orders.file_id')
    .innerJoin('payment_charges', 'payment_charges.id', 'sepa_orders.charge_id')
    .leftJoin('payment_refunds', 'payment_refunds.id', 'sepa_orders.refund_id')
    .selectAll('sepa_orders')
    .select('payment_refunds.key as refund_key')
    .where('sepa_files.state', '=', 'rejected')
    .where(({ eb, and, or }) =>
      or([
        and([eb('sepa_orders.refund_id', 'is', null), eb('payment_charges.state', '=', 'submitted')]),
        eb('payment_refunds.state', '=', 'submitted'),
      ]),
    )
    .orderBy('sepa_orders.id')
    .limit(limit)
    .execute();
}

/** Returns a page of files, newest first. */
export async function fileList(queries: Queries, { limit, before }: NewestPage): Promise<BankFile[]> {
  let query = queries.selectFrom('sepa_files').selectAll();
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}
