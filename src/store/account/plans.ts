// Plans of an account.
import type { GeneratedAlways, Insertable, Selectable } from 'kysely';
import type { PlanStatus } from '#contract/shapes/plan.ts';
import type { Queries } from '../store.ts';
import type { AccountId } from '../tables.ts';

export interface PlanTable {
  id: GeneratedAlways<number>;
  account_id: AccountId;
  key_id: number;
  operation: string;
  /** The checked parameters, as JSON. */
  input: string;
  /** What it hits, as a JSON list of texts. */
  hits: string;
  /** That it has expired is told by the moment alone. */
  status: Exclude<PlanStatus, 'Expired'>;
  decided_key_id: number | null;
  outcome: string;
  created_at: number;
  expires_at: number;
}
export type StoredPlan = Selectable<PlanTable>;

export async function planInsert(queries: Queries, plan: Insertable<PlanTable>): Promise<StoredPlan> {
  return queries.insertInto('plans').values(plan).returningAll().executeTakeFirstOrThrow();
}

export async function planFind(queries: Queries, account: AccountId, id: number): Promise<StoredPlan | undefined> {
  return queries
    .selectFrom('plans')
    .selectAll()
    .where('account_id', '=', account)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function planList(
  queries: Queries,
  account: AccountId,
  { limit, before }: { readonly limit: number; readonly before: number | undefined },
): Promise<StoredPlan[]> {
  return queries
    .selectFrom('plans')
    .selectAll()
    .where('account_id', '=', account)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** How many wait for somebody to decide. */
export async function plansWaiting(queries: Queries, account: AccountId, now: number): Promise<number> {
  const { count } = await queries
    .selectFrom('plans')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('account_id', '=', account)
    .where('status', '=', 'Pending')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** From one of these states only; undefined where it is in another by now. */
export async function planMove(
  queries: Queries,
  account: AccountId,
  id: number,
  from: readonly StoredPlan['status'][],
  to: Partial<Pick<StoredPlan, 'status' | 'decided_key_id' | 'outcome' | 'expires_at'>>,
): Promise<StoredPlan | undefined> {
  return queries
    .updateTable('plans')
    .set(to)
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst();
}

export async function plansRemove(queries: Queries, account: AccountId, before: number): Promise<void> {
  await queries.deleteFrom('plans').where('account_id', '=', account).where('created_at', '<', before).execute();
}
