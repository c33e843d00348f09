// Sensor data records: which sensors exist, and how a raw byte converts to a value with a unit. Full records (type 1)
// contain the conversion; compact records (type 2) describe sensors with discrete states. Others are skipped.

import { Reader } from './codec.ts';
import { decodePackedText, encodePackedText } from './packed-text.ts';

export type AnalogFormat = 'unsigned' | 'onesComplement' | 'twosComplement' | 'none';

export interface Conversion {
  format: AnalogFormat;
  /** value = linearise((multiplier × raw + offset × 10^offsetExponent) × 10^resultExponent) */
  multiplier: number;
  offset: number;
  offsetExponent: number;
  resultExponent: number;
  linearisation: number;
}

export interface SensorRecord {
  recordId: number;
  number: number;
  entity: number;
  sensorType: number;
  readingType: number;
  isPercentage: boolean;
  unitCode: number;
  name: string;
  /** Absent for a sensor with discrete states. */
  conversion?: Conversion;
}

const formats: readonly AnalogFormat[] = ['unsigned', 'onesComplement', 'twosComplement', 'none'];
const fullRecord = 0x01;
const compactRecord = 0x02;
export const sdrHeaderBytes = 5;
const fullNameAt = 47;
const compactNameAt = 31;

function signed(value: number, bits: number): number {
  return value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

export function encodeSensorRecord(record: SensorRecord): Buffer {
  const { conversion } = record;
  const name = encodePackedText(record.name);
  const bytes = Buffer.alloc((conversion ? fullNameAt : compactNameAt) + name.length);
  bytes.writeUInt16LE(record.recordId, 0);
  bytes.set([0x51, conversion ? fullRecord : compactRecord, bytes.length - sdrHeaderBytes], 2);
  bytes.set([0x20, 0, record.number, record.entity, 1, 0x7f, 0x68, record.sensorType, record.readingType], 5);
  bytes[20] = (formats.indexOf(conversion?.format ?? 'none') << 6) | (record.isPercentage ? 1 : 0);
  bytes[21] = record.unitCode;
  if (conversion !== undefined) {
    bytes[23] = conversion.linearisation;
    bytes[24] = conversion.multiplier & 0xff;
    bytes[25] = (conversion.multiplier >> 2) & 0xc0;
    bytes[26] = conversion.offset & 0xff;
    bytes[27] = (conversion.offset >> 2) & 0xc0;
    bytes[29] = ((conversion.resultExponent & 0x0f) << 4) | (conversion.offsetExponent & 0x0f);
  }
  bytes.set(name, bytes.length - name.length);
  return bytes;
}

export function decodeSensorRecord(bytes: Buffer): SensorRecord | undefined {
  const reader = new Reader(bytes);
  const recordId = reader.u16();
  reader.u8();
  const type = reader.u8();
  if (type !== fullRecord && type !== compactRecord) return undefined;
  reader.bytes(3);
  const number = reader.u8();
  const entity = reader.u8();
  reader.bytes(3);
  const sensorType = reader.u8();
  const readingType = reader.u8();
  reader.bytes(6);
  const unitBits = reader.u8();
  const unitCode = reader.u8();
  reader.u8();
  const name = decodePackedText(bytes, type === fullRecord ? fullNameAt : compactNameAt);
  const record: SensorRecord = {
    recordId,
    number,
    entity,
    sensorType,
    readingType,
    isPercentage: (unitBits & 1) !== 0,
    unitCode,
    name: name?.text ?? '',
  };
  if (type === fullRecord) record.conversion = readConversion(reader, formats[unitBits >> 6] ?? 'none');
  return reader.isShort ? undefined : record;
}

function readConversion(reader: Reader, format: AnalogFormat): Conversion {
  const linearisation = reader.u8() & 0x7f;
  const multiplier = reader.u8() | ((reader.u8() & 0xc0) << 2);
  const offset = reader.u8() | ((reader.u8() & 0xc0) << 2);
  reader.u8();
  const exponents = reader.u8();
  return {
    format,
    linearisation,
    multiplier: signed(multiplier, 10),
    offset: signed(offset, 10),
    resultExponent: signed(exponents >> 4, 4),
    offsetExponent: signed(exponents & 0x0f, 4),
  };
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
