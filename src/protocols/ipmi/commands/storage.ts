// FRU inventory and sensor data repository, both read in pieces.

import { decoder, nothing, uint16 } from '../codec.ts';
import type { Command } from '../codec.ts';
import { netFn } from './net-fn.ts';
import { byte } from './session.ts';

export interface FruArea {
  bytes: number;
  isAccessedByWords: boolean;
}

export const getFruInventoryArea: Command<number, FruArea> = {
  name: 'Get FRU Inventory Area Info',
  netFn: netFn.storage,
  code: 0x10,
  request: byte,
  response: {
    encode: (area) => Buffer.concat([uint16(area.bytes), Buffer.from([area.isAccessedByWords ? 1 : 0])]),
    decode: decoder((reader) => ({ bytes: reader.u16(), isAccessedByWords: (reader.u8() & 1) !== 0 })),
  },
};

export const readFruData: Command<{ fru: number; offset: number; count: number }, Buffer> = {
  name: 'Read FRU Data',
  netFn: netFn.storage,
  code: 0x11,
  request: {
    encode: (request) =>
      Buffer.concat([Buffer.from([request.fru]), uint16(request.offset), Buffer.from([request.count])]),
    decode: decoder((reader) => ({ fru: reader.u8(), offset: reader.u16(), count: reader.u8() })),
  },
  response: {
    encode: (data) => Buffer.concat([Buffer.from([data.length]), data]),
    decode: decoder((reader) => reader.bytes(reader.u8())),
  },
};

export interface SdrRepository {
  records: number;
  freeBytes: number;
}

export const getSdrRepositoryInfo: Command<null, SdrRepository> = {
  name: 'Get SDR Repository Info',
  netFn: netFn.storage,
  code: 0x20,
  request: nothing,
  response: {
    encode: (info) => {
      const bytes = Buffer.alloc(14);
      bytes[0] = 0x51;
      bytes.writeUInt16LE(info.records, 1);
      bytes.writeUInt16LE(info.freeBytes, 3);
      // Reserve SDR Repository is supported.
      bytes[13] = 0x02;
      return bytes;
    },
    decode: decoder((reader) => {
      reader.u8();
      const info = { records: reader.u16(), freeBytes: reader.u16() };
      reader.bytes(9);
      return info;
    }),
  },
};

export const reserveSdrRepository: Command<null, number> = {
  name: 'Reserve SDR Repository',
  netFn: netFn.storage,
  code: 0x22,
  request: nothing,
  response: { encode: uint16, decode: decoder((reader) => reader.u16()) },
};

export interface SdrPiece {
  reservation: number;
  record: number;
  offset: number;
  count: number;
}

export const lastSdrRecord = 0xffff;

export const getSdr: Command<SdrPiece, { nextRecord: number; data: Buffer }> = {
  name: 'Get SDR',
  netFn: netFn.storage,
  code: 0x23,
  request: {
    encode: (request) =>
      Buffer.concat([
        uint16(request.reservation),
        uint16(request.record),
        Buffer.from([request.offset, request.count]),
      ]),
    decode: decoder((reader) => ({
      reservation: reader.u16(),
      record: reader.u16(),
      offset: reader.u8(),
      count: reader.u8(),
    })),
  },
  response: {
    encode: (response) => Buffer.concat([uint16(response.nextRecord), response.data]),
    decode: decoder((reader) => ({ nextRecord: reader.u16(), data: reader.rest() })),
  },
};

export interface SensorReading {
  raw: number;
  isAvailable: boolean;
  states: number;
}

/** Set if the sensor is scanned; `unavailable` means that its reading is not valid yet. */
const scanning = 0x40;
const unavailable = 0x20;

export const getSensorReading: Command<number, SensorReading> = {
  name: 'Get Sensor Reading',
  netFn: netFn.sensor,
  code: 0x2d,
  request: byte,
  response: {
    encode: (reading) =>
      Buffer.from([
        reading.raw,
        reading.isAvailable ? scanning : scanning | unavailable,
        reading.states & 0xff,
        reading.states >> 8,
      ]),
    decode: decoder((reader) => {
      const raw = reader.u8();
      const flags = reader.u8();
      // Both state bytes are optional.
      const low = reader.remaining > 0 ? reader.u8() : 0;
      const high = reader.remaining > 0 ? reader.u8() : 0;
      return {
        raw,
        isAvailable: (flags & scanning) !== 0 && (flags & unavailable) === 0,
        states: low | (high << 8),
      };
    }),
  },
};
