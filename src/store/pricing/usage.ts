// Metered quantities of services, such as the size of their backups. A row says what the quantity is from its day on, so a meter
// writes when something changes, or every day.
import type { Selectable } from 'kysely';
import { prepared } from '../engine/prepared.ts';
import { putRow, selectWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { UsageTable } from './tables.ts';

export type Usage = Selectable<UsageTable>;

/** Replaces what was recorded for the day. */
export async function usagePut(queries: Queries, usage: Usage): Promise<void> {
  await putRow(queries, 'usage', ['account_id', 'service_id', 'item', 'day'], usage);
}

const ofAccount = prepared((queries: Queries, values: { account: AccountId; from: number; until: number }) =>
  selectWhere(queries, 'usage', { account_id: values.account })
    .selectAll('usage')
    .where('day', '<', values.until)
    .where('day', '>=', ({ selectFrom }) =>
      selectFrom('usage as earlier')
        .select(({ eb, fn }) => fn.coalesce(fn.max('earlier.day'), eb.val(values.from)).as('day'))
        .whereRef('earlier.account_id', '=', 'usage.account_id')
        .whereRef('earlier.service_id', '=', 'usage.service_id')
        .whereRef('earlier.item', '=', 'usage.item')
        .where('earlier.day', '<=', values.from),
    )
    .orderBy('service_id')
    .orderBy('item')
    .orderBy('day'),
);
/** Returns what applies to the days from the first until before the last, in order of days. */
export async function usageOfAccount(
  queries: Queries,
  account: AccountId,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Usage[]> {
  return ofAccount(queries, { account, from, until });
}
