// Refunds of charges.
import type { Insertable, Selectable, Updateable } from 'kysely';
import { affectsRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { PaymentRefundTable } from './tables.ts';

export type PaymentRefund = Selectable<PaymentRefundTable>;
export type RefundChange = Updateable<PaymentRefundTable>;

export async function refundInsert(queries: Queries, refund: Insertable<PaymentRefundTable>): Promise<PaymentRefund> {
  return queries.insertInto('payment_refunds').values(refund).returningAll().executeTakeFirstOrThrow();
}

/** Changes the refund if its state is still the one that was read. */
export async function refundChange(
  queries: Queries,
  { id, state }: Pick<PaymentRefund, 'id' | 'state'>,
  change: RefundChange,
): Promise<boolean> {
  return affectsRows(updateWhere(queries, 'payment_refunds', { id, state }).set(change).returning('id'));
}

export async function refundFind(queries: Queries, id: number): Promise<PaymentRefund | undefined> {
  return selectWhere(queries, 'payment_refunds', { id }).selectAll().executeTakeFirst();
}

export async function refundByKey(queries: Queries, key: string): Promise<PaymentRefund | undefined> {
  return selectWhere(queries, 'payment_refunds', { key }).selectAll().executeTakeFirst();
}

/** Returns all refunds of the account, oldest first. */
export async function refundsOfAccount(queries: Queries, account: AccountId): Promise<PaymentRefund[]> {
  return selectWhere(queries, 'payment_refunds', { account_id: account }).selectAll().orderBy('id').execute();
}

/** Returns refunds that need work, the longest due first. */
export async function refundsDue(queries: Queries, now: number, limit: number): Promise<PaymentRefund[]> {
  return queries
    .selectFrom('payment_refunds')
    .selectAll()
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .limit(limit)
    .execute();
}

/** Returns true if this caller may work on the refund until `until`. */
export async function refundClaim(
  queries: Queries,
  { id, next_look_at }: Pick<PaymentRefund, 'id' | 'next_look_at'>,
  until: number,
): Promise<boolean> {
  const claim = updateWhere(queries, 'payment_refunds', { id, next_look_at }).set({ next_look_at: until });
  return affectsRows(claim.returning('id'));
}
