// Sensors and event logs of dedicated servers as last read. Customers see them if the site allows it, and only from their own
// time with the server.
import type { Static } from 'typebox';
import type { Fault, LogEntry, OperatorSensorReport, Sensor, SensorReport } from '#contract/shapes/sensors.ts';
import { ApiError, requireFound } from '#lib/api-error.ts';
import { optionalTimeText, timeText } from '#lib/time.ts';
import {
  logList,
  sensorFaults,
  sensorReadings,
  sensorsFind,
  sensorState,
  type Fault as StoredFault,
  type LogRow,
  type ServerSensors,
  type StoredReading,
} from '#store/devices/sensors.ts';
import { serverFind } from '#store/devices/servers.ts';
import type { Service } from '#store/devices/services.ts';
import type { Queries } from '#store/store.ts';
import { loadSiteSettings } from '../site/settings.ts';
import type { App, Context } from '../app.ts';
import { serverOf } from './servers.ts';

type Report = Static<typeof SensorReport>;
const entriesShown = 100;

export async function canCustomersSeeSensors(app: App, queries: Queries): Promise<boolean> {
  return (await loadSiteSettings(app, queries))?.sensors?.customers ?? false;
}

export async function sensorReport({ app, queries }: Context, service: Service): Promise<Report> {
  const server = serverOf(service);
  if (!(await canCustomersSeeSensors(app, queries)))
    throw new ApiError('capability_missing', { message: 'The provider does not offer sensors to customers.' });
  const row = await sensorsFind(queries, server);
  // Until the first check after the handover, the readings are from another customer's time.
  const own = row?.service_id === service.id ? row : undefined;
  return reportOf(own, await logList(queries, server, entriesShown, service.id));
}

export async function operatorSensorReport(
  { queries }: Context,
  name: string,
  limit = entriesShown,
): Promise<Static<typeof OperatorSensorReport>> {
  const server = requireFound(await serverFind(queries, name.toLowerCase()));
  const row = await sensorsFind(queries, server.name);
  return {
    ...reportOf(row, await logList(queries, server.name, limit)),
    error: row?.error ?? '',
    faults: sensorFaults.decode(row?.faults ?? '[]').map(faultShape),
  };
}

export function faultShape({ sensor, kind, severity, detail, since }: StoredFault): Static<typeof Fault> {
  return { sensor, kind, severity, detail, since: timeText(since) };
}

function reportOf(row: ServerSensors | undefined, log: readonly LogRow[]): Report {
  const state = sensorState(row);
  const readings = sensorReadings.decode(row?.readings ?? '[]');
  return {
    state,
    read: row?.read_at == null ? '' : timeText(row.read_at),
    sensors: readings.map((reading) => sensorShape(state === 'current' ? reading : lastKnown(reading))),
    log: log.map(entryShape),
  };
}

/** How a part is now is unknown if its BMC did not respond. */
function lastKnown({ name, kind, unit = '' }: StoredReading): StoredReading {
  return { name, kind, unit, health: 'unknown' };
}

function sensorShape({
  name,
  kind,
  health,
  value,
  unit = '',
  detail = '',
  low,
  high,
}: StoredReading): Static<typeof Sensor> {
  const decimal = (number: number | undefined): string => (number === undefined ? '' : String(number));
  return { name, kind, value: decimal(value), unit, health, detail, low: decimal(low), high: decimal(high) };
}

function entryShape({ at, seen_at, severity, text }: LogRow): Static<typeof LogEntry> {
  return { time: optionalTimeText(at), seen: timeText(seen_at), severity, text };
}
