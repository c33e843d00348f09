// Notices of payment providers, stored before they are acknowledged. A notice is unique by its driver and event id.
import type { Insertable, Selectable } from 'kysely';
import { affectsRows, insertNew, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { PaymentNoticeTable } from './tables.ts';

export type StoredNotice = Selectable<PaymentNoticeTable>;

/** Returns false if the notice was received before. */
export async function paymentNoticeInsert(queries: Queries, notice: Insertable<PaymentNoticeTable>): Promise<boolean> {
  return affectsRows(insertNew(queries, 'payment_notices', notice, ['driver', 'event_id']).returning('id'));
}

/** Returns notices to process, the longest due first. */
export async function paymentNoticesDue(queries: Queries, now: number, limit: number): Promise<StoredNotice[]> {
  return queries
    .selectFrom('payment_notices')
    .selectAll()
    .where('next_look_at', '<=', now)
    .orderBy('next_look_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function paymentNoticeChange(
  queries: Queries,
  id: number,
  change: Partial<Pick<StoredNotice, 'attempts' | 'error' | 'next_look_at'>>,
): Promise<void> {
  await updateWhere(queries, 'payment_notices', { id }).set(change).execute();
}

/** Deletes processed notices from before this time. */
export async function paymentNoticesPrune(queries: Queries, before: number): Promise<void> {
  await queries
    .deleteFrom('payment_notices')
    .where('next_look_at', 'is', null)
    .where('received_at', '<', before)
    .execute();
}
