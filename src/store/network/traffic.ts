// Traffic of ports: one packed row per port and day.
import { Type, type Static } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { preparedPut } from '../engine/prepared-rows.ts';
import { deleteBefore } from '../engine/removal.ts';
import { batches } from '../engine/rows.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { TrafficDayTable } from './tables.ts';

/** Counters exceed the range of JSON numbers, so they are stored as text. */
export const StoredMeter = Type.Object({
  last: Type.Object({
    atMs: Type.Number(),
    upTimeTicks: Type.Number(),
    run: Type.Optional(Type.String()),
    inOctets: Type.String(),
    outOctets: Type.String(),
  }),
  open: Type.Object({
    startMs: Type.Number(),
    inBytes: Type.Number(),
    outBytes: Type.Number(),
    coveredMs: Type.Number(),
    marks: Type.Number(),
  }),
  highestInBytes: Type.Number(),
  highestOutBytes: Type.Number(),
});
export type StoredMeter = Static<typeof StoredMeter>;
export const portMeter = jsonColumn('meters.meter', StoredMeter);
/** By port. */
export const switchMeters = jsonColumn('device_meters.meters', Type.Array(Type.Tuple([Type.Number(), StoredMeter])));

const daysOfPort = prepared((queries: Queries, values: { port: number; from: number; to: number }) =>
  queries
    .selectFrom('traffic_days')
    .select(['day_start', 'packed'])
    .where('port_id', '=', values.port)
    .where('day_start', '>=', values.from)
    .where('day_start', '<', values.to)
    .orderBy('day_start'),
);
/** Returns the days of a port that start within the span. */
export function trafficDays(
  queries: Queries,
  port: number,
  from: number,
  to: number,
): Promise<Pick<TrafficDayTable, 'day_start' | 'packed'>[]> {
  return daysOfPort(queries, { port, from, to });
}

export const trafficDaysPut = preparedPut('traffic_days', ['port_id', 'day_start']);

export async function trafficRemoveBefore(queries: Queries, dayStart: number): Promise<void> {
  await deleteBefore(queries, 'traffic_days', 'day_start', dayStart);
  await deleteBefore(queries, 'machine_days', 'day_start', dayStart);
}

/** Returns meters of a release that stored them by port. */
export async function metersOf(queries: Queries, ports: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ports.length === 0) return new Map();
  const rows = await queries.selectFrom('meters').selectAll().where('port_id', 'in', ports).execute();
  return new Map(rows.map((row) => [row.port_id, row.meter]));
}

/** Removes them once they are part of the meters of their switch. */
export async function metersRemove(queries: Queries, ports: readonly number[]): Promise<void> {
  for (const batch of batches(ports)) await queries.deleteFrom('meters').where('port_id', 'in', batch).execute();
}
