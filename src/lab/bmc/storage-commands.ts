// The commands that read a lab BMC's inventory, sensor records and sensors.

import {
  getFruInventoryArea,
  getSdr,
  getSdrRepositoryInfo,
  getSensorReading,
  lastSdrRecord,
  readFruData,
  reserveSdrRepository,
} from '#protocols/ipmi/commands/storage.ts';
import { completion } from '#protocols/ipmi/error.ts';
import { handle, CommandError } from './handler.ts';
import { labSensors } from './inventory.ts';

const ownFru = 0;
const maxBytes = 0x40;
const wholeRecord = 0xff;
const reservation = 1;

export const storageCommands = [
  handle(getFruInventoryArea, 'user', (fru, machine) =>
    fru === ownFru ? { bytes: machine.fru.length, isAccessedByWords: false } : new CommandError(completion.notPresent),
  ),
  handle(readFruData, 'user', ({ fru, offset, count }, machine) => {
    if (fru !== ownFru) return new CommandError(completion.notPresent);
    if (offset > machine.fru.length) return new CommandError(completion.parameterOutOfRange);
    return machine.fru.subarray(offset, offset + Math.min(count, maxBytes));
  }),
  handle(getSdrRepositoryInfo, 'user', (_request, machine) => ({ records: machine.records.length, freeBytes: 0 })),
  handle(reserveSdrRepository, 'user', () => reservation),
  handle(getSdr, 'user', (request, machine) => {
    // Record 0 means the first one; records are numbered from 1.
    const index = Math.max(0, request.record - 1);
    const record = machine.records[index];
    if (record === undefined) return new CommandError(completion.notPresent);
    const nextRecord = index + 1 < machine.records.length ? index + 2 : lastSdrRecord;
    const count = request.count === wholeRecord ? record.length : request.count;
    if (count > maxBytes) return new CommandError(completion.cannotReturnLength);
    if (request.offset > record.length) return new CommandError(completion.parameterOutOfRange);
    return { nextRecord, data: record.subarray(request.offset, request.offset + count) };
  }),
  handle(getSensorReading, 'user', (number, machine) => {
    const sensor = labSensors.find(({ record }) => record.number === number);
    if (sensor === undefined) return new CommandError(completion.notPresent);
    const raw = sensor.raw(machine.chassis.power);
    return { raw: raw ?? 0, isAvailable: raw !== undefined, states: 0xc0 };
  }),
];
