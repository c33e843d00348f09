// The instances that divide devices to poll among them. Only on PostgreSQL: SQLite has one instance.
import type { Queries } from '../store.ts';

export interface Poller {
  readonly instance: string;
  readonly live_until: number;
}
/** Renews an instance and returns all, by name, in one statement: every instance does this every two seconds. */
export async function pollersRenew(queries: Queries, instance: string, liveUntil: number): Promise<readonly Poller[]> {
  const row = { instance, live_until: liveUntil };
  return queries
    .with('renewed', (query) =>
      query
        .insertInto('pollers')
        .values(row)
        .onConflict((conflict) => conflict.column('instance').doUpdateSet(row))
        .returningAll(),
    )
    .selectFrom('renewed')
    .selectAll()
    .unionAll((query) => query.selectFrom('pollers').selectAll().where('instance', '!=', instance))
    .orderBy('instance')
    .execute();
}

export async function pollerRemove(queries: Queries, instance: string): Promise<void> {
  await queries.deleteFrom('pollers').where('instance', '=', instance).execute();
}

/** Removes instances that ended without leaving. */
export async function pollersForget(queries: Queries, before: number): Promise<void> {
  await queries.deleteFrom('pollers').where('live_until', '<', before).execute();
}
