// Services with a committed rate, and what their customers were notified of this month.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, insertNew } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { BandwidthNoticeTable } from './tables.ts';

export interface Commitment {
  readonly account_id: AccountId;
  readonly service_id: number;
  readonly committed_mbits: number;
  readonly from_day: number;
}

/** Returns the commitments that apply on this day, of active services after the given one, by their number. */
export async function commitmentPage(
  queries: Queries,
  day: number,
  after: number,
  limit: number,
): Promise<Commitment[]> {
  return queries
    .selectFrom('service_terms')
    .innerJoin('services', 'services.id', 'service_terms.service_id')
    .select(['service_terms.account_id', 'service_id', 'from_day'])
    .select((row) => row.ref('committed_mbits').$notNull().as('committed_mbits'))
    .where('committed_mbits', 'is not', null)
    .where('service_id', '>', after)
    .where('from_day', '<=', day)
    .where((row) => row.or([row('until_day', 'is', null), row('until_day', '>', day)]))
    .where('services.status', '=', 'Active')
    .orderBy('service_id')
    .limit(limit)
    .execute();
}

/** Returns the highest share that the customer was notified of, or 0. */
export async function noticedThreshold(queries: Queries, service: number, month: number): Promise<number> {
  const row = await queries
    .selectFrom('bandwidth_notices')
    .select('threshold')
    .where('service_id', '=', service)
    .where('month', '=', month)
    .orderBy('threshold', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.threshold ?? 0;
}

/** Records a notice in place of those of earlier months. Returns false if it exists already. */
export async function noticeInsert(queries: Queries, notice: Selectable<BandwidthNoticeTable>): Promise<boolean> {
  await deleteWhere(queries, 'bandwidth_notices', { service_id: notice.service_id })
    .where('month', '<', notice.month)
    .execute();
  return affectsRows(insertNew(queries, 'bandwidth_notices', notice).returning('service_id'));
}
