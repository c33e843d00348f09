// The commands that read a lab BMC's inventory, sensor records, sensors and event log.

import {
  getFruInventoryArea,
  getLogEntry,
  getLogInfo,
  getSdr,
  getSdrRepositoryInfo,
  getSensorReading,
  getSensorReadingFactors,
  lastLogRecord,
  lastSdrRecord,
  readFruData,
  reserveLog,
  reserveSdrRepository,
  wholeRecord,
} from '#protocols/ipmi/commands/storage.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { handle, CommandError } from './handler.ts';
import { encodeLabLogEntry, labFactors, labSensors } from './inventory.ts';

const ownFru = 0;
const maxBytes = 0x40;

export const storageCommands = [
  handle(getFruInventoryArea, 'user', (fru, machine) =>
    fru === ownFru ? { bytes: machine.fru.length, isAccessedByWords: false } : new CommandError(completion.notPresent),
  ),
  handle(readFruData, 'user', ({ fru, offset, count }, machine) => {
    if (fru !== ownFru) return new CommandError(completion.notPresent);
    if (offset > machine.fru.length) return new CommandError(completion.parameterOutOfRange);
    return machine.fru.subarray(offset, offset + Math.min(count, maxBytes));
  }),
  handle(getSdrRepositoryInfo, 'user', (_request, machine) => ({
    records: machine.records.length,
    freeBytes: 0,
    lastAdded: 1,
    lastErased: 0,
  })),
  handle(reserveSdrRepository, 'user', (_request, { sdr }) => ++sdr.reservation),
  handle(getSdr, 'user', (request, machine) => {
    // Record 0 means the first one; records are numbered from 1.
    const index = Math.max(0, request.record - 1);
    const {
      maxRecordBytes = maxBytes,
      losesReservationAt,
      extraBytes = 0,
      repeatsRecords = false,
    } = machine.sensorMalfunctions();
    const record = machine.records[repeatsRecords ? index % machine.records.length : index];
    if (record === undefined) return new CommandError(completion.notPresent);
    const nextRecord = repeatsRecords || index + 1 < machine.records.length ? index + 2 : lastSdrRecord;
    const count = request.count === wholeRecord ? record.length : request.count;
    if (request.reservation !== machine.sdr.reservation) return new CommandError(completion.reservationCancelled);
    // Only the first one.
    if (index === losesReservationAt && machine.sdr.reservation === 1) machine.sdr.reservation++;
    if (count > maxRecordBytes) return new CommandError(completion.cannotReturnLength);
    if (request.offset > record.length) return new CommandError(completion.parameterOutOfRange);
    const data = record.subarray(request.offset, request.offset + count);
    return { nextRecord, data: Buffer.concat([data, Buffer.alloc(extraBytes, 0xff)]) };
  }),
  handle(getSensorReading, 'user', (number, machine) => {
    const sensor = labSensors.find(({ record }) => record.number === number);
    if (sensor === undefined) return new CommandError(completion.notPresent);
    const { chassis, hardware } = machine;
    const reading = sensor.read(chassis.power, hardware);
    // The unused bits are 1.
    const unused = sensor.record.conversion === undefined ? 0x8000 : 0xc0;
    const states = machine.sensorMalfunctions().omitsStates === true ? undefined : unused | (reading?.states ?? 0);
    return { raw: reading?.raw ?? 0, isAvailable: reading !== undefined, states };
  }),
  handle(getSensorReadingFactors, 'user', ({ raw }) => ({ nextReading: raw + 1, ...labFactors })),
  handle(getLogInfo, 'user', (_request, { hardware: { log } }) => ({
    entries: log.length,
    freeBytes: 0,
    lastAdded: log.at(-1)?.seconds ?? 0,
    lastErased: 0,
  })),
  handle(reserveLog, 'user', () => 1),
  handle(getLogEntry, 'user', ({ record }, { hardware: { log } }) => {
    const index =
      record === lastLogRecord ? log.length - 1 : record === 0 ? 0 : log.findIndex(({ id }) => id === record);
    const entry = log[index];
    if (entry === undefined) return new CommandError(completion.notPresent);
    return { nextRecord: log[index + 1]?.id ?? lastLogRecord, data: encodeLabLogEntry(entry) };
  }),
];
