// Which instance reads a server's serial console, and its last output, so that another instance can continue from
// there. The output belongs to a service: it is stored only while that service has the server, and found only by it.
import { sql } from 'kysely';
import { deleteWhere, putRow, selectWhere, updateWhere } from '../engine/rows.ts';
import type { Queries } from '../store.ts';

/** Holds all consoles of an instance until then. */
export async function serialHolderRenew(queries: Queries, instance: string, heldUntil: number): Promise<void> {
  await putRow(queries, 'serial_holders', ['instance'], { instance, held_until: heldUntil });
}

/** Removes instances that have stopped, unless a console still names them. */
export async function serialHoldersForget(queries: Queries, now: number): Promise<void> {
  const holders = queries.selectFrom('serial_lines').select('holder').where('holder', 'is not', null);
  await queries
    .deleteFrom('serial_holders')
    .where('held_until', '<', now)
    .where('instance', 'not in', holders)
    .execute();
}

/** Returns the consoles of an instance that others want. */
export async function serialLinesWanted(queries: Queries, holder: string, now: number): Promise<string[]> {
  const rows = await selectWhere(queries, 'serial_lines', { holder })
    .select('server')
    .where('wanted_until', '>', now)
    .execute();
  return rows.map(({ server }) => server);
}

function lineStates(queries: Queries) {
  return queries
    .selectFrom('servers')
    .leftJoin('serial_lines', 'serial_lines.server', 'servers.name')
    .leftJoin('serial_holders', 'serial_holders.instance', 'serial_lines.holder')
    .leftJoin('services', 'services.server', 'servers.name')
    .select(['servers.name as server', 'serial_lines.holder', 'serial_lines.wanted_by', 'serial_lines.wanted_until'])
    .select(({ fn }) => fn.coalesce('serial_holders.held_until', 'serial_lines.held_until').as('held_until'))
    .select('services.id as service')
    .where('servers.removed_at', 'is', null);
}

export type SerialLineState = Awaited<ReturnType<typeof serialLinesAfter>>[number];
/** Returns the consoles of servers after this one, by name, each with the service that has the server. */
export async function serialLinesAfter(queries: Queries, server: string, limit: number) {
  return lineStates(queries).where('servers.name', '>', server).orderBy('servers.name').limit(limit).execute();
}

/** Returns the consoles of these servers likewise. */
export async function serialLinesOf(queries: Queries, servers: readonly string[]): Promise<SerialLineState[]> {
  return servers.length === 0 ? [] : lineStates(queries).where('servers.name', 'in', servers).execute();
}

/** Instances of earlier releases leave a console alone for as long. */
const heldForEarlierReleasesMs = 86_400_000;

/** Returns those of the consoles that the instance has now: it had them already, or no other holds them. */
export async function serialLinesTake(
  queries: Queries,
  servers: readonly string[],
  instance: string,
  now: number,
): Promise<string[]> {
  if (servers.length === 0) return [];
  const held = { holder: instance, held_until: now + heldForEarlierReleasesMs };
  const heldUntil = sql<number>`coalesce(
    (select held_until from serial_holders where instance = serial_lines.holder), serial_lines.held_until)`;
  const rows = await queries
    .insertInto('serial_lines')
    .values(servers.map((server) => ({ server, ...held, wanted_by: null, wanted_until: 0 })))
    .onConflict((conflict) =>
      conflict
        .column('server')
        .doUpdateSet(held)
        .where((where) => where.or([where('serial_lines.holder', '=', instance), where(heldUntil, '<', now)])),
    )
    .returning('server')
    .execute();
  return rows.map(({ server }) => server);
}

export async function serialLineRelease(queries: Queries, server: string, instance: string): Promise<void> {
  await updateWhere(queries, 'serial_lines', { server, holder: instance })
    .set({ holder: null, held_until: 0 })
    .execute();
}

/** Releases all consoles of an instance. */
export async function serialLinesRelease(queries: Queries, instance: string): Promise<void> {
  await updateWhere(queries, 'serial_lines', { holder: instance }).set({ holder: null, held_until: 0 }).execute();
}

export async function serialLineRequest(
  queries: Queries,
  server: string,
  instance: string,
  until: number,
): Promise<void> {
  await updateWhere(queries, 'serial_lines', { server }).set({ wanted_by: instance, wanted_until: until }).execute();
}

/** Blocks that are stored of a console; a further one replaces the oldest. */
const serialBlocks = 17;

export interface SerialBlock {
  readonly server: string;
  readonly service: number;
  /** Counts the blocks of the console. */
  readonly number: number;
  /** Sealed. */
  readonly output: Buffer;
}

/** Returns the newest block of a console, of whatever service. */
export async function serialBlockLast(queries: Queries, server: string): Promise<SerialBlock | undefined> {
  return selectWhere(queries, 'serial_output', { server })
    .select(['server', 'service_id as service', 'number', 'output'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the blocks of a service before this one, oldest first. */
export async function serialBlocksBefore(
  queries: Queries,
  server: string,
  service: number,
  before: number,
): Promise<Buffer[]> {
  const rows = await selectWhere(queries, 'serial_output', { server, service_id: service })
    .select('output')
    .where('number', '<', before)
    .orderBy('number')
    .execute();
  return rows.map(({ output }) => output);
}

/** Stores nothing if the instance no longer holds the console, or the service no longer has the server. */
export async function serialBlockPut(
  queries: Queries,
  instance: string,
  { server, service, number, output }: SerialBlock,
): Promise<void> {
  await sql`insert into serial_output (server, slot, service_id, number, output)
    select services.server, ${number % serialBlocks}, services.id, ${number}, ${output} from services
      join serial_lines on serial_lines.server = services.server
      where services.id = ${service} and services.server = ${server} and serial_lines.holder = ${instance}
    on conflict (server, slot) do update
      set service_id = excluded.service_id, number = excluded.number, output = excluded.output`.execute(queries);
}

export async function serialHistoryClear(queries: Queries, server: string): Promise<void> {
  await deleteWhere(queries, 'serial_output', { server }).execute();
}
