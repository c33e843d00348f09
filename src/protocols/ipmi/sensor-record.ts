// Sensor data records: which sensors exist, and how a raw byte converts to a value with a unit. Full records (type 1)
// contain the conversion; compact records (type 2) describe sensors with discrete states. Others are skipped.
import {
  bits,
  byteOf,
  choice,
  constant,
  field,
  flag,
  layout,
  reserved,
  u16,
  u8,
  type Bits,
  type Decoded,
} from './codec.ts';
import { decodePackedText, encodePackedText } from './packed-text.ts';

const formats = { unsigned: 0, onesComplement: 1, twosComplement: 2, none: 3 } as const;
export type AnalogFormat = keyof typeof formats;

const fullRecord = 0x01;
const compactRecord = 0x02;
export const sdrHeaderBytes = 5;
const fullNameAt = 47;
const compactNameAt = 31;

const recordLayout = layout(
  u16('recordId'),
  constant(0x51),
  u8('type'),
  u8('length'),
  constant(0x20, 0),
  u8('number'),
  u8('entity'),
  constant(1, 0x7f, 0x68),
  u8('sensorType'),
  u8('readingType'),
  reserved(6),
  byteOf({ isPercentage: flag(0x01), format: choice(formats, bits(2, 6)) }),
  u8('unitCode'),
  reserved(1),
);
const conversionAt = 23;

function signed(value: number, width: number): number {
  return value >= 1 << (width - 1) ? value - (1 << width) : value;
}
/** Ten bits: a byte, and the highest bits of the next one. */
const signed10 = <Name extends string>(name: Name) =>
  field(
    name,
    2,
    (value: number) => (value & 0xff) | ((value & 0x300) << 6),
    (number) => signed((number & 0xff) | ((number >> 6) & 0x300), 10),
  );
const signed4 = (shift: number): Bits<number> => ({
  write: (value) => (value & 0x0f) << shift,
  read: (code) => signed((code >> shift) & 0x0f, 4),
});

/** value = linearise((multiplier × raw + offset × 10^offsetExponent) × 10^resultExponent) */
const conversionLayout = layout(
  byteOf({ linearisation: bits(7) }),
  signed10('multiplier'),
  signed10('offset'),
  reserved(1),
  byteOf({ resultExponent: signed4(4), offsetExponent: signed4(0) }),
);

export type Conversion = Decoded<typeof conversionLayout> & { format: AnalogFormat };

export interface SensorRecord extends Omit<Decoded<typeof recordLayout>, 'type' | 'length' | 'format'> {
  name: string;
  /** Absent for a sensor with discrete states. */
  conversion?: Conversion;
}

export function encodeSensorRecord(record: SensorRecord): Buffer {
  const { conversion } = record;
  const name = encodePackedText(record.name);
  const bytes = Buffer.alloc((conversion ? fullNameAt : compactNameAt) + name.length);
  const type = conversion ? fullRecord : compactRecord;
  const format = conversion?.format ?? 'none';
  bytes.set(recordLayout.encode({ ...record, type, length: bytes.length - sdrHeaderBytes, format }));
  if (conversion !== undefined) bytes.set(conversionLayout.encode(conversion), conversionAt);
  bytes.set(name, bytes.length - name.length);
  return bytes;
}

export function decodeSensorRecord(bytes: Buffer): SensorRecord | undefined {
  const decoded = recordLayout.decode(bytes);
  if (decoded === undefined) return undefined;
  const { type, length: _, format, ...fields } = decoded;
  if (type !== fullRecord && type !== compactRecord) return undefined;
  const name = decodePackedText(bytes, type === fullRecord ? fullNameAt : compactNameAt)?.text ?? '';
  if (type === compactRecord) return { ...fields, name };
  const conversion = conversionLayout.decode(bytes.subarray(conversionAt));
  return conversion && { ...fields, name, conversion: { ...conversion, format } };
}

const linearisations: readonly ((value: number) => number)[] = [
  (value) => value,
  Math.log,
  Math.log10,
  Math.log2,
  Math.exp,
  (value) => 10 ** value,
  (value) => 2 ** value,
  (value) => 1 / value,
  (value) => value ** 2,
  (value) => value ** 3,
  Math.sqrt,
  Math.cbrt,
];

/** Returns the value of a raw reading, or undefined if the sensor is not analog or uses a vendor-specific curve. */
export function convertReading(conversion: Conversion, raw: number): number | undefined {
  const linearise = linearisations[conversion.linearisation];
  if (linearise === undefined || conversion.format === 'none') return undefined;
  const value = signedReading(conversion.format, raw);
  const sum = conversion.multiplier * value + conversion.offset * 10 ** conversion.offsetExponent;
  const result = linearise(sum * 10 ** conversion.resultExponent);
  return Number.isFinite(result) ? result : undefined;
}

function signedReading(format: AnalogFormat, raw: number): number {
  if (format === 'unsigned' || raw < 0x80) return raw;
  return format === 'twosComplement' ? raw - 0x100 : raw - 0xff;
}

const unitNames = new Map<number, string>([
  [1, '°C'],
  [2, '°F'],
  [3, 'K'],
  [4, 'V'],
  [5, 'A'],
  [6, 'W'],
  [7, 'J'],
  [17, 'CFM'],
  [18, 'rpm'],
  [19, 'Hz'],
]);

export function sensorUnit(record: SensorRecord): string {
  return record.isPercentage ? '%' : (unitNames.get(record.unitCode) ?? '');
}
