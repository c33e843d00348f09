// Which instance reads a server's serial console, and its last output, so that another instance can continue from
// there. The output belongs to a service: it is stored only while that service has the server, and found only by it.
import { sql } from 'kysely';
import { affectsRows, batches, deleteWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

/** Creates rows for servers that have none yet. */
export async function serialLinesCreateMissing(queries: Queries): Promise<void> {
  await sql`insert into serial_lines (server, holder, held_until, wanted_by, wanted_until)
    select name, null, 0, null, 0 from servers where removed_at is null and not exists
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

/** Returns false if another instance holds it. */
export async function serialLineTake(
  queries: Queries,
  server: string,
  node: string,
  now: number,
  heldUntil: number,
): Promise<boolean> {
  return affectsRows(
    updateWhere(queries, 'serial_lines', { server })
      .set({ holder: node, held_until: heldUntil })
      .where((where) => where.or([where('held_until', '<', now), where('holder', '=', node)]))
      .returning('server'),
  );
}

export interface SerialLease {
  /** The instance that waits for the console. */
  readonly wanted_by: string | null;
  readonly wanted_until: number;
  /** The service that has the server now. */
  readonly service: number | null;
}

/** Renews the leases of an instance, and returns those that it still has, by server. */
export async function serialLinesRenew(
  queries: Queries,
  servers: readonly string[],
  node: string,
  heldUntil: number,
): Promise<ReadonlyMap<string, SerialLease>> {
  const leases = new Map<string, SerialLease>();
  for (const batch of batches(servers)) {
    const rows = await updateWhere(queries, 'serial_lines', { holder: node })
      .set({ held_until: heldUntil })
      .where('server', 'in', batch)
      .returning((returning) => [
        'server',
        'wanted_by',
        'wanted_until',
        returning
          .selectFrom('services')
          .select('services.id')
          .whereRef('services.server', '=', 'serial_lines.server')
          .as('service'),
      ])
      .execute();
    for (const { server, ...lease } of rows) leases.set(server, lease);
  }
  return leases;
}

export async function serialLineRelease(queries: Queries, server: string, node: string): Promise<void> {
  await updateWhere(queries, 'serial_lines', { server, holder: node }).set({ holder: null, held_until: 0 }).execute();
}

export async function serialLineRequest(queries: Queries, server: string, node: string, until: number): Promise<void> {
  await updateWhere(queries, 'serial_lines', { server }).set({ wanted_by: node, wanted_until: until }).execute();
}

/** Returns the service that has the server now, with its output, sealed. Undefined if no service has the server. */
export async function serialHistoryFind(
  queries: Queries,
  server: string,
): Promise<{ service: number; output: Buffer | null } | undefined> {
  return queries
    .selectFrom('services')
    .leftJoin('serial_history', (join) =>
      join
        .onRef('serial_history.server', '=', 'services.server')
        .onRef('serial_history.service_id', '=', 'services.id'),
    )
    .select(['services.id as service', 'serial_history.output'])
    .where('services.server', '=', server)
    .executeTakeFirst();
}

/** Stores nothing if the instance no longer holds the console, or the service no longer has the server. */
export async function serialHistorySet(
  queries: Queries,
  server: string,
  node: string,
  service: number,
  output: Buffer,
): Promise<void> {
  await sql`insert into serial_history (server, service_id, output)
    select services.server, services.id, ${output} from services
      join serial_lines on serial_lines.server = services.server
      where services.id = ${service} and services.server = ${server} and serial_lines.holder = ${node}
    on conflict (server) do update set service_id = excluded.service_id, output = excluded.output`.execute(queries);
}

export async function serialHistoryClear(queries: Queries, server: string): Promise<void> {
  await deleteWhere(queries, 'serial_history', { server }).execute();
}
