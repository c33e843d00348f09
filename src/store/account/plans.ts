// Plans of an account.
import type { Insertable, Selectable } from 'kysely';
import { Type } from 'typebox';
import { countRows, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../account-id.ts';
import { jsonColumn } from '../json-column.ts';
import type { AuditSearch } from './audit.ts';
import type { PlanTable } from './tables.ts';

export const planInput = jsonColumn('plans.input', Type.Record(Type.String(), Type.Unknown()));
export const planTargets = jsonColumn('plans.hits', Type.Array(Type.String()));

export type StoredPlan = Selectable<PlanTable>;

export async function planInsert(queries: Queries, plan: Insertable<PlanTable>): Promise<StoredPlan> {
  return queries.insertInto('plans').values(plan).returningAll().executeTakeFirstOrThrow();
}

export async function planFind(queries: Queries, account: AccountId, id: number): Promise<StoredPlan | undefined> {
  return selectWhere(queries, 'plans', { account_id: account, id }).selectAll().executeTakeFirst();
}

/** Of these operations, and of others that are about a service, only plans for these services, unless this key created them. */
interface ServicesFilter {
  readonly operations: readonly string[];
  readonly services: readonly number[];
  readonly unlessBy: number;
}

export interface PlanPage {
  readonly limit: number;
  readonly before: number | undefined;
  readonly hidden: AuditSearch['hidden'];
  readonly services: ServicesFilter | undefined;
}

export async function planList(
  queries: Queries,
  account: AccountId,
  { limit, before, hidden, services }: PlanPage,
): Promise<StoredPlan[]> {
  return queries
    .selectFrom('plans')
    .selectAll()
    .where('account_id', '=', account)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .$if(hidden !== undefined, (query) =>
      query.where((where) =>
        where.or([where('operation', 'not in', hidden!.operations), where('key_id', '=', hidden!.unlessBy)]),
      ),
    )
    .$if(services !== undefined, (query) =>
      query.where((where) =>
        where.or([
          where.and([where('operation', 'not in', services!.operations), where('service_id', 'is', null)]),
          where('key_id', '=', services!.unlessBy),
          ...(services!.services.length === 0 ? [] : [where('service_id', 'in', services!.services)]),
        ]),
      ),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Counts the plans that wait for a decision. */
export async function plansPendingCount(queries: Queries, account: AccountId, now: number): Promise<number> {
  const pending = selectWhere(queries, 'plans', { account_id: account, status: 'Pending' });
  return countRows(pending.where('expires_at', '>', now));
}

/** Changes the status if it is one of these; returns undefined if it is not. */
export async function planStatusChange(
  queries: Queries,
  account: AccountId,
  id: number,
  from: readonly StoredPlan['status'][],
  to: Partial<Pick<StoredPlan, 'status' | 'decided_key_id' | 'outcome' | 'expires_at'>>,
): Promise<StoredPlan | undefined> {
  return updateWhere(queries, 'plans', { account_id: account, id })
    .set(to)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst();
}

/** Removes plans from before that time, and all but the newest of those that no longer wait. */
export async function plansRemove(
  queries: Queries,
  account: AccountId,
  { before, kept, now }: { readonly before: number; readonly kept: number; readonly now: number },
): Promise<void> {
  const newest = selectWhere(queries, 'plans', { account_id: account }).select('id').orderBy('id', 'desc');
  const last = await newest.offset(kept).limit(1).executeTakeFirst();
  await queries
    .deleteFrom('plans')
    .where('account_id', '=', account)
    .where((where) =>
      where.or([
        where('created_at', '<', before),
        where.and([
          where('id', '<=', last?.id ?? 0),
          where.or([where('status', 'not in', ['Pending', 'Approved']), where('expires_at', '<=', now)]),
        ]),
      ]),
    )
    .execute();
}
