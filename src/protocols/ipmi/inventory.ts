// Reads a BMC's FRU inventory and sensor records in pieces, and its sensors.
import {
  getFruInventoryArea,
  getSdr,
  getSdrRepositoryInfo,
  getSensorReading,
  lastSdrRecord,
  readFruData,
  reserveSdrRepository,
  type FruArea,
} from './commands/storage.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import { decodeFru, type FruInventory } from './fru.ts';
import { convertReading, decodeSensorRecord, sdrHeaderBytes, sensorUnit, type SensorRecord } from './sensor-record.ts';

export interface Sensor {
  number: number;
  name: string;
  /** Empty for a sensor with discrete states. */
  unit: string;
  /** undefined while there is no reading, and for discrete states. */
  value: number | undefined;
  /** One bit per asserted state, as defined by the sensor's type. */
  states: number;
}

// Supported by every BMC in one response.
const pieceBytes = 16;
const maxRecords = 1_000;
const maxReservations = 5;

export async function readFru(connection: Connection, fru: number, signal?: AbortSignal): Promise<FruInventory> {
  const area = await getFruArea(connection, fru, signal);
  const unitBytes = area.isAccessedByWords ? 2 : 1;
  const pieces: Buffer[] = [];
  for (let at = 0; at < area.bytes;) {
    const count = Math.min(pieceBytes, area.bytes - at);
    const request = { fru, offset: at / unitBytes, count: Math.ceil(count / unitBytes) };
    const piece = await connection.call(readFruData, request, signal);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  const inventory = decodeFru(Buffer.concat(pieces));
  if (inventory === undefined) throw new IpmiError('badResponse', 'the BMC sent an invalid FRU inventory');
  return inventory;
}

/** A BMC without an inventory may support the command and reject the device. */
async function getFruArea(connection: Connection, fru: number, signal?: AbortSignal): Promise<FruArea> {
  try {
    return await connection.call(getFruInventoryArea, fru, signal);
  } catch (error) {
    if (!(error instanceof IpmiError) || error.kind !== 'rejected') throw error;
    const { completionCode } = error;
    throw new IpmiError('unsupported', 'the BMC has no FRU inventory', {
      ...(completionCode === undefined ? {} : { completionCode }),
      cause: error,
    });
  }
}

export async function readSensorRecords(connection: Connection, signal?: AbortSignal): Promise<SensorRecord[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readReservedRecords(connection, signal);
    } catch (error) {
      // Another reader took over the reservation, so start again, a few times.
      const isCancelled = error instanceof IpmiError && error.completionCode === completion.reservationCancelled;
      if (!isCancelled || attempt >= maxReservations) throw error;
    }
  }
}

async function readReservedRecords(connection: Connection, signal?: AbortSignal): Promise<SensorRecord[]> {
  const records: SensorRecord[] = [];
  const repository = await connection.call(getSdrRepositoryInfo, null, signal);
  if (repository.records === 0) return records;
  const reservation = await connection.call(reserveSdrRepository, null, signal);
  const seen = new Set<number>();
  for (let id = 0; id !== lastSdrRecord && !seen.has(id) && seen.size < maxRecords;) {
    seen.add(id);
    const header = await connection.call(getSdr, { reservation, record: id, offset: 0, count: sdrHeaderBytes }, signal);
    const pieces = [header.data];
    const end = sdrHeaderBytes + (header.data[sdrHeaderBytes - 1] ?? 0);
    for (let offset = sdrHeaderBytes; offset < end;) {
      const count = Math.min(pieceBytes, end - offset);
      const piece = await connection.call(getSdr, { reservation, record: id, offset, count }, signal);
      if (piece.data.length === 0) break;
      pieces.push(piece.data);
      offset += piece.data.length;
    }
    const record = decodeSensorRecord(Buffer.concat(pieces));
    if (record !== undefined) records.push(record);
    id = header.nextRecord;
  }
  return records;
}

export async function readSensor(connection: Connection, record: SensorRecord, signal?: AbortSignal): Promise<Sensor> {
  const sensor: Sensor = {
    number: record.number,
    name: record.name,
    unit: record.conversion === undefined ? '' : sensorUnit(record),
    value: undefined,
    states: 0,
  };
  try {
    const reading = await connection.call(getSensorReading, record.number, signal);
    if (!reading.isAvailable) return sensor;
    const value = record.conversion && convertReading(record.conversion, reading.raw);
    return { ...sensor, value, states: reading.states };
  } catch (error) {
    // The sensor's component is off or absent; the other sensors are still useful.
    if (error instanceof IpmiError && (error.kind === 'rejected' || error.kind === 'busy')) return sensor;
    throw error;
  }
}
