// Which instance reads a server's serial console, and its last output, so that another instance can continue from
// there.
import { sql, type Selectable } from 'kysely';
import type { Queries } from '../store.ts';
import type { SerialLineTable } from './tables.ts';

export type SerialLineRow = Selectable<SerialLineTable>;

/** Creates rows for servers that have none yet. */
export async function serialLinesCreateMissing(queries: Queries): Promise<void> {
  await sql`insert into serial_lines (server, holder, held_until, wanted_by, wanted_until, ring)
    select name, null, 0, null, 0, ${Buffer.alloc(0)} from servers where removed_at is null and not exists
      (select 1 from serial_lines where serial_lines.server = servers.name)`.execute(queries);
}

/** Returns consoles that are free for this instance: not held, and not requested by another. */
export async function serialLinesFree(queries: Queries, node: string, now: number, limit: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('serial_lines')
    .select('server')
    .where('held_until', '<', now)
    .where((where) => where.or([where('wanted_until', '<', now), where('wanted_by', '=', node)]))
    .limit(limit)
    .execute();
  return rows.map((row) => row.server);
}

export async function serialLineTake(
  queries: Queries,
  server: string,
  node: string,
  now: number,
  heldUntil: number,
): Promise<SerialLineRow | undefined> {
  return queries
    .updateTable('serial_lines')
    .set({ holder: node, held_until: heldUntil })
    .where('server', '=', server)
    .where((where) => where.or([where('held_until', '<', now), where('holder', '=', node)]))
    .returningAll()
    .executeTakeFirst();
}

/** Returns the row with the instance that waits for it, or undefined if the lease was lost. */
export async function serialLineExtend(
  queries: Queries,
  server: string,
  node: string,
  heldUntil: number,
): Promise<SerialLineRow | undefined> {
  return queries
    .updateTable('serial_lines')
    .set({ held_until: heldUntil })
    .where('server', '=', server)
    .where('holder', '=', node)
    .returningAll()
    .executeTakeFirst();
}

export async function serialLineOutputSet(queries: Queries, server: string, node: string, ring: Buffer): Promise<void> {
  await queries
    .updateTable('serial_lines')
    .set({ ring })
    .where('server', '=', server)
    .where('holder', '=', node)
    .execute();
}

export async function serialLineRelease(queries: Queries, server: string, node: string): Promise<void> {
  await queries
    .updateTable('serial_lines')
    .set({ holder: null, held_until: 0 })
    .where('server', '=', server)
    .where('holder', '=', node)
    .execute();
}

export async function serialLineRequest(queries: Queries, server: string, node: string, until: number): Promise<void> {
  await queries
    .updateTable('serial_lines')
    .set({ wanted_by: node, wanted_until: until })
    .where('server', '=', server)
    .execute();
}
