// Which instance runs which reconciler, and the result of its last run.
import { sql, type Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { ReconcilerTable } from './tables.ts';

export type ReconcilerRow = Selectable<ReconcilerTable>;

export async function reconcilerRegister(queries: Queries, name: string): Promise<void> {
  await queries
    .insertInto('reconcilers')
    .values({
      name,
      run_at: 0,
      signals: 0,
      holder: null,
      lease_until: 0,
      last_success_at: null,
      last_duration_ms: null,
      last_error: null,
      backlog: 0,
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

export async function reconcilersDue(queries: Queries, now: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('reconcilers')
    .select('name')
    .where('run_at', '<=', now)
    .where('lease_until', '<', now)
    .execute();
  return rows.map((row) => row.name);
}

/** Returns the row if the lease was acquired, or undefined if another instance was first. */
export async function reconcilerAcquire(
  queries: Queries,
  name: string,
  holder: string,
  now: number,
  leaseUntil: number,
): Promise<ReconcilerRow | undefined> {
  return queries
    .updateTable('reconcilers')
    .set({ holder, lease_until: leaseUntil })
    .where('name', '=', name)
    .where('run_at', '<=', now)
    .where('lease_until', '<', now)
    .returningAll()
    .executeTakeFirst();
}

/** Returns false if the lease was lost and another instance runs it now. */
export async function reconcilerExtend(
  queries: Queries,
  name: string,
  holder: string,
  leaseUntil: number,
): Promise<boolean> {
  const row = await queries
    .updateTable('reconcilers')
    .set({ lease_until: leaseUntil })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .returning('name')
    .executeTakeFirst();
  return row !== undefined;
}

export interface ReconcilerEnd {
  readonly nextRunAt: number;
  /** The signal count when the run started. */
  readonly signalsSeen: number;
  readonly success: { readonly at: number; readonly durationMs: number; readonly backlog: number } | undefined;
  readonly error: string | null;
}
export async function reconcilerFinish(
  queries: Queries,
  name: string,
  holder: string,
  end: ReconcilerEnd,
): Promise<void> {
  const { success } = end;
  await queries
    .updateTable('reconcilers')
    .set({
      holder: null,
      lease_until: 0,
      run_at: sql<number>`case when signals > ${end.signalsSeen} then 0 else cast(${end.nextRunAt} as bigint) end`,
      last_error: end.error,
      ...(success === undefined
        ? {}
        : { last_success_at: success.at, last_duration_ms: success.durationMs, backlog: success.backlog }),
    })
    .where('name', '=', name)
    .where('holder', '=', holder)
    .execute();
}

/** Must run in the transaction of the change that needs the run. */
export async function reconcilerSignal(queries: Queries, name: string): Promise<void> {
  await queries
    .updateTable('reconcilers')
    .set((set) => ({ run_at: 0, signals: set('signals', '+', 1) }))
    .where('name', '=', name)
    .execute();
}

export async function reconcilerStates(queries: Queries): Promise<ReconcilerRow[]> {
  return queries.selectFrom('reconcilers').selectAll().orderBy('name').execute();
}
