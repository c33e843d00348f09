// FRU inventory and sensor data repository, both read in pieces.
import {
  singleByte,
  byteOf,
  command,
  constant,
  decoder,
  flag,
  layout,
  netFn,
  nothing,
  reserved,
  rest,
  single,
  u16,
  u8,
  type Bits,
  type Codec,
  type Decoded,
  type Part,
} from '../codec.ts';

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
  // The last byte: Reserve SDR Repository is supported.
  layout(constant(0x51), u16('records'), u16('freeBytes'), reserved(8), constant(0x02)),
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
const states: Part<{ states: number }> = {
  ...u16('states'),
  read(reader, fields) {
    const width = Math.min(reader.remaining, 2);
    fields.states = width === 0 ? 0 : reader.uint(width);
  },
};

export const getSensorReading = command(
  'Get Sensor Reading',
  netFn.sensor,
  0x2d,
  singleByte,
  layout(u8('raw'), byteOf({ isAvailable }), states),
);
