// What the database counts time by, against what it promises a moment for. When the clock is set, a lease of twenty seconds must
// still be one of twenty seconds, and what was to be tried again in five must not wait for a day: those columns go with the
// clock. A key that ends at noon still ends at noon: such columns, and what happened when, stay as they are.
import { sql } from 'kysely';
import { metaFind, metaPut } from '../meta.ts';
import type { Engine, Queries } from '../store.ts';
import type { Tables } from '../tables.ts';

/** Columns that measure, by table, with the rows that are still measured by. Zero is no moment, but "at once". */
export const measuring: readonly {
  readonly table: keyof Tables;
  readonly columns: readonly string[];
  readonly where?: string;
}[] = [
  { table: 'reconcilers', columns: ['run_at', 'lease_until'] },
  { table: 'jobs', columns: ['run_at', 'heartbeat_at'] },
  { table: 'workflows', columns: ['step_since'], where: 'ended_at is null' },
  { table: 'idempotency', columns: ['claimed_until'], where: 'status is null' },
  { table: 'deliveries', columns: ['next_at'], where: "status = 'Pending'" },
  { table: 'device_locks', columns: ['held_until'] },
  { table: 'serial_lines', columns: ['held_until', 'wanted_until'] },
  { table: 'zone_publications', columns: ['lease_until'] },
  { table: 'servers', columns: ['next_look_at'] },
  { table: 'switches', columns: ['next_poll_at'] },
  { table: 'nodes', columns: ['next_look_at'] },
  { table: 'machines', columns: ['next_meter_at'] },
  { table: 'bmc_users', columns: ['expires_at'] },
  { table: 'console_tickets', columns: ['expires_at'] },
  { table: 'screen_sessions', columns: ['expires_at'] },
  { table: 'passkey_challenges', columns: ['expires_at'] },
  { table: 'attacks', columns: ['seen_at'], where: 'ended_at is null' },
];

/** The database's own clock, by which all nodes of a cluster go. */
export async function databaseTime(queries: Queries): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000) as now`.execute(queries);
  return Number(rows[0]!.now);
}

const lastMove = 'clock move';
const advisoryLock = 7_203_381_002;
/** Every node of a cluster sees the same move, some seconds apart. */
const sameMoveMs = 60_000;

/** In one transaction, just before the clock itself is moved by so much, to this moment. What another node did already is left. */
export async function clockMove(queries: Queries, engine: Engine, move: { now: number; by: number }): Promise<void> {
  if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${advisoryLock})`.execute(queries);
  const last = JSON.parse((await metaFind(queries, lastMove)) ?? '{}') as { now?: number; by?: number };
  const isDone =
    Math.abs(move.now - (last.now ?? Infinity)) < sameMoveMs &&
    Math.abs(move.by - (last.by ?? Infinity)) < sameMoveMs / 2;
  if (isDone) return;
  await metaPut(queries, lastMove, JSON.stringify(move));
  await measuresMove(queries, engine, move.by, 0);
  if (engine === 'postgres') await bossMeasuresMove(queries, Math.round(move.by));
}

/** What other nodes wrote by the old clock after the move, in the second until they saw it themselves. Further ahead than half of
 * a move backwards nothing is planned by the new one that could not come sooner. */
export async function stragglersMove(
  queries: Queries,
  engine: Engine,
  move: { now: number; by: number },
): Promise<void> {
  if (move.by < 0) await measuresMove(queries, engine, move.by, Math.round(move.now - move.by / 2));
}

async function measuresMove(queries: Queries, engine: Engine, milliseconds: number, past: number): Promise<void> {
  const by = Math.round(milliseconds);
  for (const { table, columns, where = '1 = 1' } of measuring) {
    // On PostgreSQL the jobs are pg-boss's.
    if (table === 'jobs' && engine === 'postgres') continue;
    for (const column of columns)
      await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + cast(${by} as bigint)
        where ${sql.ref(column)} > ${past} and ${sql.raw(where)}`.execute(queries);
  }
}

/** pg-boss goes by the database's clock, which was moved some moments ago: only what the move brings nearer to now was written
 * before it. Where nobody has ever enqueued, it has no tables yet. */
async function bossMeasuresMove(queries: Queries, milliseconds: number): Promise<void> {
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
