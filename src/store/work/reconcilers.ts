// Which instance runs which reconciler, and the result of its last run.
import { sql, type ExpressionBuilder, type Selectable } from 'kysely';
import { affectsRows, insertNew, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import type { Tables } from '../tables.ts';
import type { ReconcilerTable } from './tables.ts';

export type ReconcilerRow = Selectable<ReconcilerTable>;

export async function reconcilerRegister(queries: Queries, name: string): Promise<void> {
  const row = {
    name,
    run_at: 0,
    signals: 0,
    holder: null,
    lease_until: 0,
    last_success_at: null,
    last_duration_ms: null,
    last_error: null,
    backlog: 0,
  };
  await insertNew(queries, 'reconcilers', row, ['name']).execute();
}

/** How long a due run is left to the instance that ran it last, which remembers what it saw. */
const leftToLastMs = 5000;

function isDueFor(holder: string, now: number) {
  return ({ eb, and, or }: ExpressionBuilder<Tables, 'reconcilers'>) =>
    and([
      eb('run_at', '<=', now),
      eb('lease_until', '<', now),
      or([eb('holder', 'is', null), eb('holder', '=', holder), eb('run_at', '<=', now - leftToLastMs)]),
    ]);
}

export interface ReconcilerPlan {
  /** Those that this instance may run. */
  readonly due: readonly string[];
  /** The instance that ran each one last, by its name. */
  readonly leaders: ReadonlyMap<string, string | null>;
}
/** One query for both, because every instance runs it once a second. */
export async function reconcilerPlan(queries: Queries, holder: string, now: number): Promise<ReconcilerPlan> {
  const rows = await queries
    .selectFrom('reconcilers')
    .select(['name', 'holder', (row) => row.case().when(isDueFor(holder, now)(row)).then(1).else(0).end().as('is_due')])
    .execute();
  return {
    due: rows.filter(({ is_due }) => is_due === 1).map(({ name }) => name),
    leaders: new Map(rows.map((row) => [row.name, row.holder])),
  };
}

/** Returns the rows whose leases were acquired; another instance may have been first. */
export async function reconcilersAcquire(
  queries: Queries,
  names: readonly string[],
  holder: string,
  now: number,
  leaseUntil: number,
): Promise<ReconcilerRow[]> {
  if (names.length === 0) return [];
  const due = queries.updateTable('reconcilers').where('name', 'in', names).where(isDueFor(holder, now));
  return due.set({ holder, lease_until: leaseUntil }).returningAll().execute();
}

/** Returns false if the lease was lost and another instance runs it now. */
export async function reconcilerExtend(
  queries: Queries,
  name: string,
  holder: string,
  leaseUntil: number,
): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'reconcilers', { name, holder }).set({ lease_until: leaseUntil }).returning('name'),
  );
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
  await updateWhere(queries, 'reconcilers', { name, holder })
    .set({
      lease_until: 0,
      run_at: sql<number>`case when signals > ${end.signalsSeen} then 0 else cast(${end.nextRunAt} as bigint) end`,
      last_error: end.error,
      ...(success === undefined
        ? {}
        : { last_success_at: success.at, last_duration_ms: success.durationMs, backlog: success.backlog }),
    })
    .execute();
}

/** Gives up the precedence of an instance that stops. */
export async function reconcilersLeave(queries: Queries, holder: string): Promise<void> {
  await updateWhere(queries, 'reconcilers', { holder, lease_until: 0 }).set({ holder: null }).execute();
}

/** Must run in the transaction of the change that needs the run. */
export async function reconcilerSignal(queries: Queries, name: string): Promise<void> {
  await updateWhere(queries, 'reconcilers', { name })
    .set((set) => ({ run_at: 0, signals: set('signals', '+', 1) }))
    .execute();
}

export async function reconcilerStates(queries: Queries): Promise<ReconcilerRow[]> {
  return queries.selectFrom('reconcilers').selectAll().orderBy('name').execute();
}
