// Reads a BMC's sensors. Their records take hundreds of commands, so they are read once and again when the times of the
// repository change; a reading takes one command.
import {
  getSdr,
  getSdrRepositoryInfo,
  getSensorReading,
  getSensorReadingFactors,
  lastSdrRecord,
  reserveSdrRepository,
  wholeRecord,
} from './commands/storage.ts';
import type { Connection } from './connection.ts';
import { completion, IpmiError } from './error.ts';
import {
  convertReading,
  decodeSensorRecord,
  expandSharing,
  isNonLinear,
  sdrHeaderBytes,
  sensorUnit,
  type Conversion,
  type SensorRecord,
  type Thresholds,
} from './sensor-record.ts';
import { judgeStates, readingTypes, thresholdStates, worstOf, type SensorCondition } from './sensor-states.ts';

export interface Sensor extends SensorCondition {
  readonly record: SensorRecord;
  /** Empty for a sensor with discrete states. */
  readonly unit: string;
  /** undefined while there is no reading, and for discrete states. */
  readonly value: number | undefined;
  /** The critical thresholds, if the BMC has them. */
  readonly low: number | undefined;
  readonly high: number | undefined;
}

// Supported by every BMC in one response.
const pieceBytes = 16;
const maxRecords = 1_000;
const maxReservations = 5;
const bmcAddress = 0x20;
/** Responses of BMCs that cannot send so many bytes at once. */
const tooLong: ReadonlySet<number> = new Set([
  completion.cannotReturnLength,
  completion.lengthInvalid,
  completion.lengthLimitExceeded,
  completion.parameterOutOfRange,
  completion.unspecified,
]);

export interface SensorReader {
  /** Returns the records of the sensors that can be read, from memory unless they have changed. */
  records(signal?: AbortSignal): Promise<SensorRecord[]>;
  read(record: SensorRecord, signal?: AbortSignal): Promise<Sensor>;
}

export function createSensorReader(connection: Connection): SensorReader {
  // As the BMC sent them, which takes a tenth of the memory.
  let known: { readonly version: string; readonly bytes: Buffer } | undefined;
  return {
    async records(signal) {
      const { records, lastAdded, lastErased } = await connection.call(getSdrRepositoryInfo, null, signal);
      if (records === 0) return [];
      const version = `${records} ${lastAdded} ${lastErased}`;
      if (known?.version !== version)
        known = {
          version,
          bytes: await retryWhileCancelled(() => readRecords(connection, signal)),
        };
      const sensors = [...splitRecords(known.bytes)]
        .flatMap((bytes) => decodeSensorRecord(bytes) ?? [])
        .filter(isReadable)
        .flatMap(expandSharing);
      // A sensor's number is a byte, so a BMC that repeats its records has no more than 256.
      return [...Map.groupBy(sensors, ({ number }) => number).values()].map(([first]) => first!);
    },
    read: (record, signal) => readSensor(connection, record, signal),
  };
}

/** Sensors of other controllers behind the BMC, and of its other logical units, need bridged messages. */
function isReadable({ owner, lun }: SensorRecord): boolean {
  return owner === bmcAddress && lun === 0;
}

/** Starts again, a few times, if another reader took over the reservation. */
export async function retryWhileCancelled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isCancelled = error instanceof IpmiError && error.completionCode === completion.reservationCancelled;
      if (!isCancelled || attempt >= maxReservations) throw error;
    }
  }
}

async function readRecords(connection: Connection, signal?: AbortSignal): Promise<Buffer> {
  const reservation = await connection.call(reserveSdrRepository, null, signal);
  const records: Buffer[] = [];
  const seen = new Set<number>();
  let readsWhole = true;
  for (let record = 0; record !== lastSdrRecord && !seen.has(record) && seen.size < maxRecords;) {
    seen.add(record);
    const whole: RecordResponse | undefined = readsWhole
      ? await readWholeRecord(connection, { reservation, record }, signal)
      : undefined;
    readsWhole = whole !== undefined;
    const { data, nextRecord } = whole ?? (await readInPieces(connection, { reservation, record }, signal));
    records.push(data);
    record = nextRecord;
  }
  const bytes = Buffer.concat(records);
  // A small buffer would keep eight kilobytes that it shares with packets in memory.
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

interface RecordRequest {
  readonly reservation: number;
  readonly record: number;
}

interface RecordResponse {
  readonly nextRecord: number;
  readonly data: Buffer;
}

/** Returns undefined if the BMC cannot send a whole record. */
async function readWholeRecord(
  connection: Connection,
  request: RecordRequest,
  signal?: AbortSignal,
): Promise<RecordResponse | undefined> {
  try {
    const response = await connection.call(getSdr, { ...request, offset: 0, count: wholeRecord }, signal);
    return response.data.length === recordLength(response.data) ? response : undefined;
  } catch (error) {
    if (error instanceof IpmiError && tooLong.has(error.completionCode ?? -1)) return undefined;
    throw error;
  }
}

async function readInPieces(
  connection: Connection,
  request: RecordRequest,
  signal?: AbortSignal,
): Promise<RecordResponse> {
  // A BMC may send more than was requested.
  const readPiece = async (offset: number, count: number): Promise<RecordResponse> => {
    const { nextRecord, data } = await connection.call(getSdr, { ...request, offset, count }, signal);
    return { nextRecord, data: data.subarray(0, count) };
  };
  const first = await readPiece(0, sdrHeaderBytes);
  const pieces = [first.data];
  const end = recordLength(first.data);
  for (let offset = sdrHeaderBytes; offset < end;) {
    const { data } = await readPiece(offset, Math.min(pieceBytes, end - offset));
    if (data.length === 0) break;
    pieces.push(data);
    offset += data.length;
  }
  return { nextRecord: first.nextRecord, data: Buffer.concat(pieces) };
}

function recordLength(data: Buffer): number {
  return sdrHeaderBytes + (data[sdrHeaderBytes - 1] ?? 0);
}

function* splitRecords(bytes: Buffer): Generator<Buffer> {
  for (let rest = bytes; rest.length > 0; rest = rest.subarray(recordLength(rest)))
    yield rest.subarray(0, recordLength(rest));
}

const unknown = { health: 'unknown', detail: '' } as const;

async function readSensor(connection: Connection, record: SensorRecord, signal?: AbortSignal): Promise<Sensor> {
  const conversion = isAnalog(record) ? record.conversion : undefined;
  const limits = conversion === undefined ? undefined : criticalThresholds(record, conversion);
  const sensor: Sensor = {
    record,
    unit: conversion === undefined ? '' : sensorUnit(record),
    value: undefined,
    low: limits?.low,
    high: limits?.high,
    ...unknown,
  };
  try {
    const { raw, isAvailable, states } = await connection.call(getSensorReading, record.number, signal);
    if (!isAvailable) return sensor;
    const value = conversion && (await convert(connection, record.number, conversion, raw, signal));
    if (conversion !== undefined && value === undefined) return sensor;
    return {
      ...sensor,
      value,
      ...(states === undefined ? judgeByThresholds(record, raw) : judgeStates(record, states)),
    };
  } catch (error) {
    // The sensor's component is off or absent; the other sensors are still useful.
    if (error instanceof IpmiError && ['rejected', 'busy', 'unsupported'].includes(error.kind)) return sensor;
    throw error;
  }
}

async function convert(
  connection: Connection,
  number: number,
  conversion: Conversion,
  raw: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (!isNonLinear(conversion)) return convertReading(conversion, raw);
  const factors = await connection.call(getSensorReadingFactors, { number, raw }, signal);
  return convertReading({ ...conversion, ...factors, linearisation: 0 }, raw);
}

/** Many records of discrete sensors have a conversion too, but no unit. */
function isAnalog({ conversion, readingType, unitCode }: SensorRecord): boolean {
  return (
    conversion !== undefined &&
    conversion.format !== 'none' &&
    (readingType === readingTypes.threshold || unitCode !== 0)
  );
}

const lowerCritical = 1;
const upperCritical = 4;

function canRead({ readable, readingType }: SensorRecord, threshold: number): boolean {
  return readingType === readingTypes.threshold && ((readable >> threshold) & 1) === 1;
}

function criticalThresholds(record: SensorRecord, conversion: Conversion): Pick<Sensor, 'low' | 'high'> {
  const { thresholds } = record;
  const limits = [
    canRead(record, lowerCritical) && thresholds ? convertReading(conversion, thresholds.lowerCritical) : undefined,
    canRead(record, upperCritical) && thresholds ? convertReading(conversion, thresholds.upperCritical) : undefined,
  ];
  // A curve that falls turns low raw values into high ones.
  const [low, high] =
    limits[0] !== undefined && limits[1] !== undefined && limits[0] > limits[1] ? limits.toReversed() : limits;
  return { low, high };
}

/** In the order of `thresholdStates`. */
const thresholdNames: readonly (keyof Thresholds)[] = [
  'lowerWarning',
  'lowerCritical',
  'lowerNonRecoverable',
  'upperWarning',
  'upperCritical',
  'upperNonRecoverable',
];

/** For a BMC that leaves the comparison with the thresholds to its reader. Without any, the health is unknown. */
function judgeByThresholds(record: SensorRecord, raw: number): SensorCondition {
  const { conversion, thresholds } = record;
  const comparable = [...thresholdStates.keys()].filter((state) => canRead(record, state));
  const value = conversion && convertReading(conversion, raw);
  if (comparable.length === 0 || thresholds === undefined || conversion === undefined || value === undefined)
    return unknown;
  const isCrossed = (state: number): boolean => {
    const limit = convertReading(conversion, thresholds[thresholdNames[state]!]);
    return limit !== undefined && (state < 3 ? value <= limit : value >= limit);
  };
  return worstOf(comparable.filter(isCrossed).map((state) => thresholdStates[state]!));
}
