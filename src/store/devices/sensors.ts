// Sensors of servers and event logs of their BMCs. A server has one row with its last readings, which is written when they
// change noticeably.
import { sql, type Insertable, type Selectable } from 'kysely';
import { Type, type Static } from 'typebox';
import { faultSeverities, sensorHealths, sensorKinds } from '#contract/shapes/sensors.ts';
import { batches, putRow, rowsInBatches, selectWhere, updateWhere } from '../engine/rows.ts';
import { jsonColumn, type DeepReadonly } from '../json-column.ts';
import type { Queries } from '../store.ts';
import type { ServerLogTable, ServerSensorsTable } from './sensors-tables.ts';

/** Absent members are unknown or empty: most readings are short. */
const StoredReading = Type.Object({
  name: Type.String(),
  kind: Type.Enum(sensorKinds),
  health: Type.Enum(sensorHealths),
  value: Type.Optional(Type.Number()),
  unit: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String()),
  low: Type.Optional(Type.Number()),
  high: Type.Optional(Type.Number()),
});
export type StoredReading = DeepReadonly<Static<typeof StoredReading>>;
export const sensorReadings = jsonColumn('server_sensors.readings', Type.Array(StoredReading));

/** A part that is broken, from when it was confirmed until it is repaired. */
const Fault = Type.Object({
  sensor: Type.String(),
  kind: Type.Enum(sensorKinds),
  severity: Type.Enum(faultSeverities),
  detail: Type.String(),
  since: Type.Number(),
  /** The service that was notified; absent if none was. */
  service: Type.Optional(Type.Number()),
});
export type Fault = DeepReadonly<Static<typeof Fault>>;
export const sensorFaults = jsonColumn('server_sensors.faults', Type.Array(Fault));

export type ServerSensors = Selectable<ServerSensorsTable>;
export type LogRow = Selectable<ServerLogTable>;

export async function sensorsFind(queries: Queries, server: string): Promise<ServerSensors | undefined> {
  return selectWhere(queries, 'server_sensors', { server }).selectAll().executeTakeFirst();
}

/** Returns the sensors of servers that have any, by server. */
export async function sensorsOfServers(
  queries: Queries,
  servers: readonly string[],
): Promise<ReadonlyMap<string, ServerSensors>> {
  if (servers.length === 0) return new Map();
  const rows = await queries.selectFrom('server_sensors').selectAll().where('server', 'in', servers).execute();
  return new Map(rows.map((row) => [row.server, row]));
}

/** Makes others that record the same server wait until the transaction ends. */
export async function sensorsLock(queries: Queries, server: string): Promise<ServerSensors | undefined> {
  return updateWhere(queries, 'server_sensors', { server })
    .set((set) => ({ error: set.ref('error') }))
    .returningAll()
    .executeTakeFirst();
}

export async function sensorsPut(queries: Queries, row: Insertable<ServerSensorsTable>): Promise<void> {
  await putRow(queries, 'server_sensors', ['server'], row);
}

export async function sensorServers(queries: Queries): Promise<string[]> {
  const rows = await selectWhere(queries, 'servers', { removed_at: null }).select('name').execute();
  return rows.map(({ name }) => name);
}

/** Deletes the readings and the event log of a server that is removed. */
export async function sensorsClear(queries: Queries, server: string): Promise<void> {
  await queries.deleteFrom('server_sensors').where('server', '=', server).execute();
  await queries.deleteFrom('server_log').where('server', '=', server).execute();
}

/** Older entries are removed. */
const entriesKept = 500;

export async function logAppend(queries: Queries, entries: readonly Insertable<ServerLogTable>[]): Promise<void> {
  const server = entries[0]?.server;
  if (server === undefined) return;
  for (const batch of batches(entries, 100)) await queries.insertInto('server_log').values(batch).execute();
  await queries
    .deleteFrom('server_log')
    .where('server', '=', server)
    .where('id', '<=', (where) =>
      where
        .selectFrom('server_log')
        .select('id')
        .where('server', '=', server)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(entriesKept),
    )
    .execute();
}

/** Returns the newest entries of a server; of one service only those from its time with the server. */
export async function logList(queries: Queries, server: string, limit: number, service?: number): Promise<LogRow[]> {
  const entries = selectWhere(queries, 'server_log', { server, ...(service !== undefined && { service_id: service }) });
  return entries.selectAll().orderBy('id', 'desc').limit(limit).execute();
}

export type SensorFigures = Awaited<ReturnType<typeof sensorFigures>>[number];
/** Returns the figures of all servers whose last check succeeded. */
export async function sensorFigures(queries: Queries) {
  return queries
    .selectFrom('server_sensors')
    .select(['server', 'celsius', 'rpm', 'watts'])
    .where('error', 'is', null)
    .execute();
}

/** Returns the power draw and the inlet temperature of those of these servers whose last check succeeded. */
export async function climateOf(queries: Queries, servers: readonly string[]) {
  return rowsInBatches(servers, (batch) =>
    selectWhere(queries, 'server_sensors', { error: null })
      .select(['server', 'watts', 'inlet_celsius'])
      .where('server', 'in', batch),
  );
}

/** Returns the servers with broken parts. */
export async function serversWithFaults(
  queries: Queries,
  limit: number,
): Promise<{ server: string; faults: readonly Fault[] }[]> {
  const rows = await queries
    .selectFrom('server_sensors')
    .select(['server', 'faults'])
    // Written into the statement, so that databases see that the index contains these rows.
    .where('fault_count', '>', sql.lit(0))
    .orderBy('server')
    .limit(limit)
    .execute();
  return rows.map(({ server, faults }) => ({ server, faults: sensorFaults.decode(faults) }));
}

/** Returns how many servers' sensors were read at the last check, how many BMCs did not respond, and how many have none. */
export async function sensorStateCounts(queries: Queries): Promise<Readonly<Record<SensorState, number>>> {
  const rows = await queries
    .selectFrom('servers')
    .leftJoin('server_sensors', 'server_sensors.server', 'servers.name')
    .select([
      'error',
      (row) => row.fn.count<number>('read_at').as('read'),
      (row) => row.fn.countAll<number>().as('all'),
    ])
    .where('servers.removed_at', 'is', null)
    .groupBy('error')
    .execute();
  const counts = { current: 0, unreachable: 0, unsupported: 0, waiting: 0 };
  for (const { error, read, all } of rows) {
    if (error === null) {
      counts.current += Number(read);
      counts.waiting += Number(all) - Number(read);
    } else counts[sensorState({ error, read_at: null })] += Number(all);
  }
  return counts;
}

export type SensorState = 'current' | 'unreachable' | 'unsupported' | 'waiting';

export function sensorState(row: Pick<ServerSensors, 'error' | 'read_at'> | undefined): SensorState {
  if (row === undefined) return 'waiting';
  if (row.error === 'capability_missing') return 'unsupported';
  if (row.error !== null) return 'unreachable';
  return row.read_at === null ? 'waiting' : 'current';
}
