// Traffic of ports: one packed row per port and day, and the state of each port's meter between two readings.
import { Type, type Static } from 'typebox';
import { prepared } from '../engine/prepared.ts';
import { deleteBefore } from '../engine/removal.ts';
import type { Queries } from '../store.ts';
import { jsonColumn } from '../json-column.ts';
import type { MeterTable, TrafficDayTable } from './tables.ts';

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

export async function trafficDayPut(queries: Queries, day: TrafficDayTable): Promise<void> {
  await queries
    .insertInto('traffic_days')
    .values(day)
    .onConflict((conflict) => conflict.columns(['port_id', 'day_start']).doUpdateSet({ packed: day.packed }))
    .execute();
}

export async function trafficRemoveBefore(queries: Queries, dayStart: number): Promise<void> {
  await deleteBefore(queries, 'traffic_days', 'day_start', dayStart);
  await deleteBefore(queries, 'machine_days', 'day_start', dayStart);
}

export async function metersOf(queries: Queries, ports: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ports.length === 0) return new Map();
  const rows = await queries.selectFrom('meters').selectAll().where('port_id', 'in', ports).execute();
  return new Map(rows.map((row) => [row.port_id, row.meter]));
}

export async function metersPut(queries: Queries, meters: readonly MeterTable[]): Promise<void> {
  if (meters.length === 0) return;
  await queries
    .insertInto('meters')
    .values(meters)
    .onConflict((conflict) => conflict.column('port_id').doUpdateSet((set) => ({ meter: set.ref('excluded.meter') })))
    .execute();
}
