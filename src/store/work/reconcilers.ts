// Which node runs which reconciler, and how its last run went.
import { sql, type Selectable } from 'kysely';
import type { Queries } from '../store.ts';

export interface ReconcilerTable {
  name: string;
  /** Due from this moment on. */
  run_at: number;
  /** Counts signals, so that one that comes during a run is not lost. */
  signals: number;
  holder: string | null;
  lease_until: number;
  last_success_at: number | null;
  last_duration_ms: number | null;
  last_error: string | null;
  backlog: number;
}
export type ReconcilerRow = Selectable<ReconcilerTable>;

export async function reconcilerEnrol(queries: Queries, name: string): Promise<void> {
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

/** The row as taken, or undefined where another node was first. */
export async function reconcilerTake(
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

/** False where the lease was lost: somebody else runs it now. */
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
  /** The count of signals that the run had seen when it began. */
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

/** In the transaction of what makes it necessary. */
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
