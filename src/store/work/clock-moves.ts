// Distinguishes columns that measure time from those that state one. When the clock is set, a lease of twenty seconds
// must still last twenty seconds, and a retry in five must not wait for a day: those columns move with the clock. A key
// that expires at noon still expires at noon: such columns, and records of when something happened, stay.
import { Type } from 'typebox';
import { sql } from 'kysely';
import type { Engine, Queries, Store } from '../store.ts';
import type { Tables } from '../tables.ts';
import { metaEntry } from '../meta.ts';

/**
 * The measuring columns by table, with a condition for rows that are still in use. Zero is not a time but means
 * "immediately".
 */
export const measuringColumns: readonly {
  readonly table: keyof Tables;
  readonly columns: readonly string[];
  readonly where?: string;
}[] = [
  { table: 'reconcilers', columns: ['run_at', 'lease_until'] },
  { table: 'pollers', columns: ['live_until'] },
  { table: 'jobs', columns: ['run_at', 'heartbeat_at'] },
  { table: 'workflows', columns: ['step_since'], where: 'ended_at is null' },
  { table: 'idempotency', columns: ['claimed_until'], where: 'status is null' },
  { table: 'deliveries', columns: ['next_at'], where: "status = 'Pending'" },
  { table: 'mails', columns: ['next_at'], where: "status in ('Queued', 'Held')" },
  { table: 'device_locks', columns: ['held_until'] },
  { table: 'serial_lines', columns: ['held_until', 'wanted_until'] },
  { table: 'serial_holders', columns: ['held_until'] },
  { table: 'machines', columns: ['next_attempt_at'] },
  { table: 'machine_copies', columns: ['progress_at'], where: 'is_obsolete = 0' },
  { table: 'zone_publications', columns: ['lease_until'] },
  { table: 'signed_zones', columns: ['refreshed_at'] },
  { table: 'zone_keys', columns: ['created_at', 'changed_at'] },
  { table: 'aliases', columns: ['next_look_at', 'failing_since'] },
  { table: 'servers', columns: ['next_look_at'] },
  { table: 'switches', columns: ['next_poll_at'] },
  { table: 'nodes', columns: ['next_look_at', 'next_sample_at', 'sampled_since'] },
  { table: 'bmc_users', columns: ['expires_at'] },
  { table: 'console_tickets', columns: ['expires_at'] },
  { table: 'console_sessions', columns: ['expires_at', 'link_expires_at'] },
  { table: 'screen_sessions', columns: ['expires_at'] },
  { table: 'passkey_challenges', columns: ['expires_at'] },
  { table: 'sign_on_flows', columns: ['expires_at'] },
  { table: 'recoveries', columns: ['expires_at'] },
  { table: 'invoice_deliveries', columns: ['next_try_at', 'failing_since'] },
  { table: 'account_taxes', columns: ['next_check_at', 'failing_since'] },
  { table: 'payment_methods', columns: ['next_look_at'] },
  { table: 'payment_charges', columns: ['next_look_at'] },
  { table: 'payment_refunds', columns: ['next_look_at'] },
  { table: 'payment_notices', columns: ['next_look_at'] },
  { table: 'sign_up_proofs', columns: ['expires_at'] },
  { table: 'sign_ups', columns: ['expires_at'] },
  { table: 'sign_up_invitations', columns: ['expires_at'] },
  { table: 'attacks', columns: ['seen_at'], where: 'ended_at is null' },
];

/** Returns the database's clock, which all instances of a cluster follow. */
export async function databaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000) as now`.execute(queries);
  return Number(rows[0]!.now);
}

/** `moved` counts the parts that have been moved; without it, all have. */
const lastMove = metaEntry(
  'clock move',
  Type.Object({ now: Type.Number(), by: Type.Number(), moved: Type.Optional(Type.Number()) }),
);
const advisoryLock = 7_203_381_002;
/** Every instance of a cluster sees the same move, some seconds apart. */
const sameMoveMs = 60_000;

/**
 * Must end just before the clock itself is moved. Does nothing if another instance has done it already. On PostgreSQL, each
 * table is moved in a transaction of its own: one that waits for rows of a table while it holds those of another would
 * meet transactions that do it in the opposite order, and lose against them again and again if there are many.
 */
export async function moveClockColumns(store: Store, move: { now: number; by: number }): Promise<void> {
  const { engine } = store;
  const parts =
    engine === 'postgres' ? [...measuringColumns.map((part) => [part]), 'pg-boss' as const] : [measuringColumns];
  for (const [index, part] of parts.entries())
    await store.transaction(async (queries) => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(queries);
      const last = await lastMove.find(queries);
      const isSame =
        last !== undefined &&
        Math.abs(move.now - last.now) < sameMoveMs &&
        Math.abs(move.by - last.by) < sameMoveMs / 2;
      if (isSame && (last.moved ?? parts.length) > index) return;
      await lastMove.put(queries, { ...(isSame ? last : move), moved: index + 1 });
      if (part === 'pg-boss') await moveBossColumns(queries, Math.round(move.by));
      else await moveColumns(queries, engine, part, { by: move.by, past: 0 });
    });
}

/**
 * Moves what other instances wrote with the old clock in the second before they saw the move. No row written with the
 * new clock lies further ahead than half of a backward move, unless running it earlier does no harm.
 */
export async function moveStragglers(
  queries: Queries,
  engine: Engine,
  move: { now: number; by: number },
): Promise<void> {
  if (move.by >= 0) return;
  const past = Math.round(move.now - move.by / 2);
  await moveColumns(queries, engine, measuringColumns, { by: move.by, past });
}

async function moveColumns(
  queries: Queries,
  engine: Engine,
  parts: typeof measuringColumns,
  move: { readonly by: number; readonly past: number },
): Promise<void> {
  const { past } = move;
  const by = Math.round(move.by);
  for (const { table, columns, where = '1 = 1' } of parts) {
    // On PostgreSQL the jobs are pg-boss's.
    if (table === 'jobs' && engine === 'postgres') continue;
    for (const column of columns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + cast(${by} as bigint)
        where ${sql.ref(column)} > ${past} and ${sql.raw(where)}`.execute(queries);
  }
}

/**
 * pg-boss uses the database's clock, which has just been moved, so only rows that the move brings closer to now were
 * written before it. If nothing was ever enqueued, its tables do not exist yet.
 */
async function moveBossColumns(queries: Queries, milliseconds: number): Promise<void> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(
    queries,
  );
  if (rows[0]?.there !== true) return;
  const by = sql`make_interval(secs => cast(${milliseconds} as double precision) / 1000)`;
  for (const column of ['start_after', 'heartbeat_on', 'started_on']) {
    const moment = sql.ref(column);
    const distance = (value: typeof by) => sql`abs(extract(epoch from ${value} - now()))`;
    await sql`update pgboss.job set ${moment} = ${moment} + ${by}
      where state <= 'active' and ${distance(sql`${moment} + ${by}`)} < ${distance(sql`${moment}`)}`.execute(queries);
  }
}
