// FRU inventory, sensor data repository and event log, all read in pieces.
import {
  singleByte,
  binary,
  byteOf,
  command,
  constant,
  decoder,
  flag,
  layout,
  netFn,
  nothing,
  rest,
  single,
  u16,
  u32,
  u8,
  type Bits,
  type Codec,
  type Decoded,
  type Part,
} from '../codec.ts';
import { factorsLayout } from '../sensor-record.ts';

const fruArea = layout(u16('bytes'), byteOf({ isAccessedByWords: flag(0x01) }));
export type FruArea = Decoded<typeof fruArea>;

export const getFruInventoryArea = command('Get FRU Inventory Area Info', netFn.storage, 0x10, singleByte, fruArea);

const countedBytes: Codec<Buffer> = {
  encode: (data) => Buffer.concat([Buffer.from([data.length]), data]),
  decode: decoder((reader) => reader.bytes(reader.uint(1))),
};

export const readFruData = command(
  'Read FRU Data',
  netFn.storage,
  0x11,
  layout(u8('fru'), u16('offset'), u8('count')),
  countedBytes,
);

export const getSdrRepositoryInfo = command(
  'Get SDR Repository Info',
  netFn.storage,
  0x20,
  nothing,
  // The times change with the records. The last byte: Reserve SDR Repository is supported.
  layout(constant(0x51), u16('records'), u16('freeBytes'), u32('lastAdded'), u32('lastErased'), constant(0x02)),
);

export const reserveSdrRepository = command(
  'Reserve SDR Repository',
  netFn.storage,
  0x22,
  nothing,
  single(layout(u16('value'))),
);

export const lastSdrRecord = 0xffff;

export const getSdr = command(
  'Get SDR',
  netFn.storage,
  0x23,
  layout(u16('reservation'), u16('record'), u8('offset'), u8('count')),
  layout(u16('nextRecord'), rest('data')),
);

/** Set if the sensor is scanned; `unavailable` means that its reading is not valid yet. */
const scanning = 0x40;
const unavailable = 0x20;
const isAvailable: Bits<boolean> = {
  write: (isValid) => (isValid ? scanning : scanning | unavailable),
  read: (flags) => (flags & (scanning | unavailable)) === scanning,
};
/** Both bytes are optional. */
const states: Part<{ states: number | undefined }> = {
  write: ({ states: value }) => (value === undefined ? Buffer.alloc(0) : Buffer.from([value & 0xff, value >> 8])),
  read(reader, fields) {
    const width = Math.min(reader.remaining, 2);
    fields.states = width === 0 ? undefined : reader.uint(width);
  },
};

export const getSensorReading = command(
  'Get Sensor Reading',
  netFn.sensor,
  0x2d,
  singleByte,
  layout(u8('raw'), byteOf({ isAvailable }), states),
);

export const getSensorReadingFactors = command(
  'Get Sensor Reading Factors',
  netFn.sensor,
  0x23,
  layout(u8('number'), u8('raw')),
  factorsLayout,
);

export const getLogInfo = command(
  'Get SEL Info',
  netFn.storage,
  0x40,
  nothing,
  // The last byte: Reserve SEL is supported.
  layout(constant(0x51), u16('entries'), u16('freeBytes'), u32('lastAdded'), u32('lastErased'), constant(0x02)),
);

export const reserveLog = command('Reserve SEL', netFn.storage, 0x42, nothing, single(layout(u16('value'))));

/** Also what follows the last entry. */
export const lastLogRecord = 0xffff;
export const wholeRecord = 0xff;
export const logRecordBytes = 16;

export const getLogEntry = command(
  'Get SEL Entry',
  netFn.storage,
  0x43,
  layout(u16('reservation'), u16('record'), u8('offset'), u8('count')),
  layout(u16('nextRecord'), binary('data', logRecordBytes)),
);
