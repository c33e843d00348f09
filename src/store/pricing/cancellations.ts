// Services that end on a day that their customer or staff chose.
import type { Selectable } from 'kysely';
import { affectsRows, deleteWhere, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import type { AccountId } from '../account-id.ts';
import type { Queries } from '../store.ts';
import type { CancellationTable } from './tables.ts';

export type Cancellation = Selectable<CancellationTable>;

const nothingDone = { noticed_at: null, held_at: null, hold_reason: '', ended_at: null, workflow: null };

export async function cancellationFind(
  queries: Queries,
  account: AccountId,
  service: number,
): Promise<Cancellation | undefined> {
  return selectWhere(queries, 'cancellations', { account_id: account, service_id: service })
    .selectAll()
    .executeTakeFirst();
}

export async function cancellationPut(
  queries: Queries,
  cancellation: Omit<Cancellation, keyof typeof nothingDone>,
): Promise<void> {
  await putRow(queries, 'cancellations', ['service_id'], { ...cancellation, ...nothingDone });
}

/** Changes a cancellation whose termination has not started. Returns false if there is none. */
export async function cancellationChange(
  queries: Queries,
  account: AccountId,
  service: number,
  change: Partial<Pick<Cancellation, keyof typeof nothingDone>>,
): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'cancellations', { account_id: account, service_id: service, ended_at: null })
      .set(change)
      .returning('service_id'),
  );
}

/** Returns what ends before this day and is neither held nor ended, by day and service. */
export async function cancellationsToEnd(
  queries: Queries,
  beforeDay: number,
  page: CancellationPage,
): Promise<Cancellation[]> {
  return selectWhere(queries, 'cancellations', { ended_at: null, held_at: null })
    .selectAll()
    .where('until_day', '<', beforeDay)
    .where('until_day', '>=', page.after.day)
    .where((where) => where.or([where('until_day', '>', page.after.day), where('service_id', '>', page.after.service)]))
    .orderBy('until_day')
    .orderBy('service_id')
    .limit(page.limit)
    .execute();
}

export async function cancellationRemove(queries: Queries, account: AccountId, service: number): Promise<void> {
  await deleteWhere(queries, 'cancellations', { account_id: account, service_id: service }).execute();
}

/** Returns the day after the last one of every cancelled service and deleted machine, by its number. */
export async function cancelledUntil(queries: Queries): Promise<Map<number, number>> {
  const rows = await queries.selectFrom('cancellations').select(['service_id', 'until_day']).execute();
  const deleted = queries
    .selectFrom('machine_deletions')
    .select(['service_id', 'until_day'])
    .where('until_day', 'is not', null);
  return new Map([...rows, ...(await deleted.execute())].map(({ service_id, until_day }) => [service_id, until_day!]));
}

export interface CancelledService extends Cancellation {
  readonly hostname: string;
  readonly status: string;
  /** Of the workflow that terminates it. */
  readonly workflow_status: string | null;
}

export interface CancellationPage {
  readonly after: { readonly day: number; readonly service: number };
  readonly limit: number;
}

/** Returns the cancelled services that are not terminated yet, those that end first first. */
export async function cancellationPage(queries: Queries, page: CancellationPage): Promise<CancelledService[]> {
  const { day, service } = page.after;
  return queries
    .selectFrom('cancellations')
    .innerJoin('services', 'services.id', 'cancellations.service_id')
    .leftJoin('workflows', 'workflows.id', 'cancellations.workflow')
    .selectAll('cancellations')
    .select(['services.hostname', 'services.status', 'workflows.status as workflow_status'])
    .where('services.status', '<>', 'Terminated')
    .where('until_day', '>=', day)
    .where((where) => where.or([where('until_day', '>', day), where('cancellations.service_id', '>', service)]))
    .orderBy('until_day')
    .orderBy('cancellations.service_id')
    .limit(page.limit)
    .execute();
}
