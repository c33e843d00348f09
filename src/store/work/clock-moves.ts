// Distinguishes columns that measure time from those that state one. When the clock is set, a lease of twenty seconds
// must still last twenty seconds, and a retry in five must not wait for a day: those columns move with the clock. A key
// that expires at noon still expires at noon: such columns, and records of when something happened, stay.
import { Type } from 'typebox';
import { sql } from 'kysely';
import { noticeMs } from '#lib/clock.ts';
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

/**
 * The sum of all moves, and the last one, of which some parts may be left. Each instance knows which sum its clock contains.
 * So it knows what others have moved already, however late it sees that the clock was set.
 */
const moves = metaEntry(
  'clock moves',
  Type.Object({ total: Type.Number(), by: Type.Number(), partsLeft: Type.Number() }),
);
const advisoryLock = 7_203_381_002;

/** Returns the database's clock with the sum of all moves, which was read just before. In one statement, because it is read every second. */
export async function databaseClock(queries: Queries): Promise<{ readonly now: number; readonly total: number }> {
  const { rows } = await sql<{ now: number; text: string | null }>`
    select floor(extract(epoch from clock_timestamp()) * 1000) as now,
      (select value from meta where name = ${moves.name}) as text`.execute(queries);
  const { now, text } = rows[0]!;
  return { now: Number(now), total: text === null ? 0 : moves.decode(text).total };
}

/** Returns the sum of all moves in milliseconds. */
export async function totalClockMove(queries: Queries): Promise<number> {
  return (await moves.find(queries))?.total ?? 0;
}

export interface ClockMove {
  readonly by: number;
  /** The sum of all moves that the caller's clock contains. */
  readonly seen: number;
  /** A smaller difference from what others have moved is an error of measurement. */
  readonly toleranceMs: number;
}

/**
 * Call it just before the clock itself is moved. It finishes a move that another process began, repeats nothing that another
 * instance has done, and returns the sum of all moves. On PostgreSQL, each table is moved in its own transaction: one that holds rows of
 * a table and waits for those of another would deadlock with transactions that do it in the opposite order.
 */
export async function moveClockColumns(store: Store, { by, seen, toleranceMs }: ClockMove): Promise<number> {
  const { engine } = store;
  const parts = partsOf(engine);
  /** Moves the next part. Returns the sum once nothing is left. */
  const moveNext = (): Promise<number | undefined> =>
    store.transaction(async (queries) => {
      if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(queries);
      let move = (await moves.find(queries)) ?? { total: 0, by: 0, partsLeft: 0 };
      if (move.partsLeft === 0) {
        const rest = Math.round(seen + by - move.total);
        if (Math.abs(rest) < toleranceMs) return move.total;
        move = { total: move.total + rest, by: rest, partsLeft: parts.length };
      }
      await moveColumns(queries, engine, parts.at(-move.partsLeft)!, { by: move.by, past: 0 });
      await moves.put(queries, { ...move, partsLeft: move.partsLeft - 1 });
      return undefined;
    });
  for (;;) {
    const total = await moveNext();
    if (total !== undefined) return total;
  }
}

/**
 * Moves what other instances wrote with the old clock in the second before they saw the move. No row written with the
 * new clock lies further ahead than half of a backward move, unless running it earlier does no harm.
 */
export async function moveStragglers(store: Store, move: { now: number; by: number }): Promise<void> {
  if (move.by >= 0) return;
  const past = Math.round(move.now - move.by / 2);
  for (const part of partsOf(store.engine))
    if (part !== 'pg-boss')
      await store.transaction((queries) => moveColumns(queries, store.engine, part, { by: move.by, past }));
}

/**
 * Moves the starts of steps that other instances recorded with the old clock before they saw that it was set forward to
 * `setAt + by`. Other columns need no such move: what is due too early does no harm.
 */
export async function moveLateStarts({ queries }: Store, move: { setAt: number; by: number }): Promise<void> {
  if (move.by <= 2 * noticeMs) return;
  const by = Math.round(move.by);
  await queries
    .updateTable('workflows')
    .set((set) => ({ step_since: set('step_since', '+', by) }))
    .where('ended_at', 'is', null)
    .where('step_since', '>', Math.round(move.setAt) - noticeMs)
    .where('step_since', '<', Math.round(move.setAt) + noticeMs)
    .execute();
}

type Part = typeof measuringColumns | 'pg-boss';

/** Returns what is moved in one transaction each. */
function partsOf(engine: Engine): readonly Part[] {
  return engine === 'postgres' ? [...measuringColumns.map((part) => [part]), 'pg-boss'] : [measuringColumns];
}

async function moveColumns(
  queries: Queries,
  engine: Engine,
  part: Part,
  move: { readonly by: number; readonly past: number },
): Promise<void> {
  const { past } = move;
  const by = Math.round(move.by);
  if (part === 'pg-boss') return moveBossColumns(queries, by);
  for (const { table, columns, where = '1 = 1' } of part) {
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
