// Refunds of charges.
import type { Insertable, Selectable } from 'kysely';
import { selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import { createProgress } from './progress.ts';
import type { PaymentRefundTable } from './tables.ts';

export type PaymentRefund = Selectable<PaymentRefundTable>;

export const { change: refundChange, due: refundsDue, claim: refundClaim } = createProgress('payment_refunds');

export async function refundInsert(queries: Queries, refund: Insertable<PaymentRefundTable>): Promise<PaymentRefund> {
  return queries.insertInto('payment_refunds').values(refund).returningAll().executeTakeFirstOrThrow();
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
