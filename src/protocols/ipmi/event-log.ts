// The system event log (SEL): its records, and reading the new ones. Entries are recognized by their content, because
// record numbers start again when the log is cleared, and the log may overwrite its oldest entries.
import { binary, bits, byteOf, flag, layout, u16, u32, u8, type Decoded } from './codec.ts';
import { getLogEntry, getLogInfo, lastLogRecord, logRecordBytes, reserveLog, wholeRecord } from './commands/storage.ts';
import type { Connection } from './connection.ts';
import { IpmiError } from './error.ts';
import { convertReading, sensorUnit, type SensorRecord } from './sensor-record.ts';
import { readingTypes, statesOf, thresholdStates, type Severity } from './sensor-states.ts';
import { retryWhileCancelled } from './sensors.ts';

const systemEvent = 0x02;
/** Types of records without a time. */
const firstUntimed = 0xe0;

const headLayout = layout(u16('recordId'), u8('type'), u32('seconds'));
export const logEventLayout = layout(
  u16('recordId'),
  u8('type'),
  u32('seconds'),
  u16('generator'),
  u8('revision'),
  u8('sensorType'),
  u8('sensor'),
  byteOf({ readingType: bits(7), isDeasserted: flag(0x80) }),
  binary('data', 3),
);
export type LogEvent = Decoded<typeof logEventLayout>;

export interface LogRecord {
  readonly recordId: number;
  /** Seconds since 1970; undefined if the clock of the BMC was not set, or the record has no time. */
  readonly seconds: number | undefined;
  /** undefined for a record in a vendor's format. */
  readonly event: LogEvent | undefined;
  readonly bytes: Buffer;
}

/** Before their clock is set, BMCs count from 0; the largest number means that they do not know. */
const firstRealTime = 0x20000000;
const unknownTime = 0xffffffff;

export function decodeLogRecord(bytes: Buffer): LogRecord | undefined {
  const head = bytes.length === logRecordBytes ? headLayout.decode(bytes) : undefined;
  if (head === undefined) return undefined;
  const { recordId, type, seconds } = head;
  const hasTime = type < firstUntimed && seconds >= firstRealTime && seconds !== unknownTime;
  const event = type === systemEvent ? logEventLayout.decode(bytes) : undefined;
  return { recordId, seconds: hasTime ? seconds : undefined, event, bytes };
}

export interface NewLogRecords {
  /** The oldest first. */
  readonly records: LogRecord[];
  /** To continue after these. */
  readonly position: string;
  readonly hasMore: boolean;
}

/**
 * Returns at most `limit` entries after a position. Without one, returns only the position of the last entry. If its entry
 * is no longer there, because the log was cleared or has overwritten it, all entries are new.
 */
export function readNewLogRecords(
  connection: Connection,
  position: string | undefined,
  limit: number,
  signal?: AbortSignal,
): Promise<NewLogRecords> {
  return retryWhileCancelled(async () => {
    const { entries } = await connection.call(getLogInfo, null, signal);
    if (entries === 0) return { records: [], position: '', hasMore: false };
    const reservation = await reserve(connection, signal);
    const read = (record: number) =>
      connection.call(getLogEntry, { reservation, record, offset: 0, count: wholeRecord }, signal);
    const last = (await read(lastLogRecord)).data.toString('hex');
    if (position === undefined || last === position) return { records: [], position: last, hasMore: false };
    const known = Buffer.from(position, 'hex');
    const walked: Buffer[] = [];
    let next = position === '' ? 0 : await recordAfter(known, read);
    const isStart = next === 0;
    for (const seen = new Set<number>(); next !== lastLogRecord && !seen.has(next) && walked.length < limit;) {
      seen.add(next);
      const { data, nextRecord } = await read(next);
      walked.push(data);
      next = nextRecord;
    }
    // A log that was packed has the same entries under other numbers. Without a time, equal entries may be different ones.
    const isPacked = isStart && decodeLogRecord(known)?.seconds !== undefined;
    const knownAt = isPacked ? walked.findLastIndex((bytes) => bytes.subarray(2).equals(known.subarray(2))) : -1;
    return {
      records: walked.slice(knownAt + 1).flatMap((bytes) => decodeLogRecord(bytes) ?? []),
      position: walked.at(-1)?.toString('hex') ?? position,
      hasMore: next !== lastLogRecord,
    };
  });
}

/** A BMC that knows no reservations accepts 0. */
async function reserve(connection: Connection, signal?: AbortSignal): Promise<number> {
  try {
    return await connection.call(reserveLog, null, signal);
  } catch (error) {
    if (error instanceof IpmiError && error.kind === 'unsupported') return 0;
    throw error;
  }
}

/** Returns the number after that of the known entry, or 0, the first one, if the number belongs to another entry or none. */
async function recordAfter(
  known: Buffer,
  read: (record: number) => Promise<{ nextRecord: number; data: Buffer }>,
): Promise<number> {
  try {
    const { data, nextRecord } = await read(known.readUInt16LE(0));
    return data.equals(known) ? nextRecord : 0;
  } catch (error) {
    if (error instanceof IpmiError && error.kind === 'rejected') return 0;
    throw error;
  }
}

export interface LogText {
  readonly text: string;
  readonly severity: Severity;
}

/** Describes an entry. The name of its sensor is in the sensor's record. */
export function describeLogRecord({ event, bytes }: LogRecord, sensors: readonly SensorRecord[]): LogText {
  if (event === undefined) return { text: `Vendor-specific entry ${bytes.toString('hex', 2)}`, severity: 'ok' };
  const { readingType, sensorType, isDeasserted, data } = event;
  const sensor = sensors.find(({ number }) => number === event.sensor);
  const name = sensor?.name.trim() || `Sensor ${event.sensor} of type ${sensorType}`;
  const offset = data[0]! & 0x0f;
  const isThreshold = readingType === readingTypes.threshold;
  const state = isThreshold ? thresholdStates[offset >> 1] : statesOf(sensorType, readingType)?.[offset];
  const what = state?.text ?? `state ${offset} of event type ${readingType}`;
  const reading = isThreshold && sensor !== undefined ? triggerReading(sensor, data) : '';
  return {
    text: `${name}: ${what}${reading}${isDeasserted ? ' (ended)' : ''}`,
    severity: isDeasserted ? 'ok' : (state?.severity ?? 'ok'),
  };
}

/** The second byte is the reading if the highest bits of the first one say so, and the third one the threshold. */
function triggerReading(sensor: SensorRecord, data: Buffer): string {
  const { conversion } = sensor;
  const [first, reading, threshold] = data as unknown as [number, number, number];
  if (conversion === undefined || (first & 0xc0) !== 0x40) return '';
  const show = (raw: number): string | undefined => {
    const value = convertReading(conversion, raw);
    return value === undefined ? undefined : `${Number(value.toPrecision(4))} ${sensorUnit(sensor)}`.trim();
  };
  const value = show(reading);
  const limit = (first & 0x30) === 0x10 ? show(threshold) : undefined;
  return value === undefined ? '' : ` (${value}${limit === undefined ? '' : `, threshold ${limit}`})`;
}
