// Announcements of new prices: one row for each change and service, written with the event.
import type { Selectable } from 'kysely';
import type { AccountId } from '../account-id.ts';
import { affectsRows, insertNew, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { PriceNoticeTable } from './tables.ts';

export type PriceNotice = Selectable<PriceNoticeTable>;

/** Returns false if it was announced already. */
export async function priceNoticeInsert(queries: Queries, notice: PriceNotice): Promise<boolean> {
  return affectsRows(insertNew(queries, 'price_notices', notice).returning('service_id'));
}

/** Returns the services that were notified of the change. */
export async function servicesNotified(queries: Queries, change: number): Promise<Set<number>> {
  const rows = await selectWhere(queries, 'price_notices', { change_id: change }).select('service_id').execute();
  return new Set(rows.map(({ service_id }) => service_id));
}

/** Returns announcements whose change no longer exists, because staff withdrew or replaced it. */
export async function priceNoticesWithoutChange(queries: Queries, limit: number): Promise<PriceNotice[]> {
  return selectWhere(queries, 'price_notices', { withdrawn_at: null })
    .selectAll()
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('price_changes')
            .select('price_changes.id')
            .whereRef('price_changes.id', '=', 'price_notices.change_id'),
        ),
      ),
    )
    .orderBy('change_id')
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** Returns false if that has happened already. */
export async function priceNoticeWithdraw(queries: Queries, notice: PriceNotice, now: number): Promise<boolean> {
  const { account_id, change_id, service_id } = notice;
  return affectsRows(
    updateWhere(queries, 'price_notices', { account_id, change_id, service_id, withdrawn_at: null })
      .set({ withdrawn_at: now })
      .returning('service_id'),
  );
}

/** Returns true if a later change was announced for the service. */
export async function hasLaterPriceNotice(
  queries: Queries,
  account: AccountId,
  { service_id, change_id }: Pick<PriceNotice, 'service_id' | 'change_id'>,
): Promise<boolean> {
  const later = await selectWhere(queries, 'price_notices', { account_id: account, service_id, withdrawn_at: null })
    .select('change_id')
    .where('change_id', '>', change_id)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}
