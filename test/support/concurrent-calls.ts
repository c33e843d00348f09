// Calls that run into an open transaction on PostgreSQL. SQLite has one writer at a time.
import { sql } from 'kysely';
import type { Queries, Store } from '#store/store.ts';
import { until } from './until.ts';

/** Waits until something waits for this transaction, or is over without that. */
export async function untilWaitedFor(
  store: Store,
  transaction: Queries,
  isOver: () => boolean | Promise<boolean>,
): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(transaction);
  const waiting = sql`select 1 from pg_stat_activity where ${rows[0]!.pid}::int = any(pg_blocking_pids(pid))`;
  await until(async () => (await isOver()) || (await waiting.execute(store.queries)).rows.length > 0);
}

/** Starts the call after the change, which is committed once the call waits for it, or has ended. */
export async function callDuring<Result>(
  store: Store,
  change: (queries: Queries) => Promise<unknown>,
  call: () => Promise<Result>,
): Promise<Result> {
  let hasEnded = false;
  // In an object, because the transaction would wait for a promise.
  const { called } = await store.transaction(async (queries) => {
    await change(queries);
    const calling = call().finally(() => (hasEnded = true));
    await untilWaitedFor(store, queries, () => hasEnded);
    return { called: calling };
  });
  return called;
}
