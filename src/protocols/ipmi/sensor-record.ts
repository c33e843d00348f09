// Sensor data records: which sensors exist, and how a raw byte converts to a value with a unit. Full records (type 1)
// contain the conversion and thresholds; compact records (type 2) describe sensors with discrete states. Others are skipped.
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
  u8('owner'),
  byteOf({ lun: bits(2) }),
  u8('number'),
  u8('entity'),
  u8('instance'),
  constant(0x7f, 0x68),
  u8('sensorType'),
  u8('readingType'),
  reserved(4),
  // Of a sensor with thresholds those that can be read, of others the states that it can have.
  u16('readable'),
  byteOf({ isPercentage: flag(0x01), format: choice(formats, bits(2, 6)) }),
  u8('unitCode'),
  reserved(1),
);
const conversionAt = 23;
const thresholdsAt = 36;

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
const factors = [
  signed10('multiplier'),
  signed10('offset'),
  reserved(1),
  byteOf({ resultExponent: signed4(4), offsetExponent: signed4(0) }),
] as const;
const conversionLayout = layout(byteOf({ linearisation: bits(7) }), ...factors);

export type Conversion = Decoded<typeof conversionLayout> & { format: AnalogFormat };

/** As raw readings. */
const thresholdsLayout = layout(
  u8('upperNonRecoverable'),
  u8('upperCritical'),
  u8('upperWarning'),
  u8('lowerNonRecoverable'),
  u8('lowerCritical'),
  u8('lowerWarning'),
);
export type Thresholds = Decoded<typeof thresholdsLayout>;

/** A compact record can describe several sensors with consecutive numbers, whose names end in a number or a letter. */
const sharingLayout = layout(byteOf({ count: bits(4), endsInLetter: flag(0x10) }), byteOf({ firstSuffix: bits(7) }));
export type Sharing = Decoded<typeof sharingLayout>;

export interface SensorRecord extends Omit<Decoded<typeof recordLayout>, 'type' | 'length' | 'format'> {
  name: string;
  /** Absent for a sensor with discrete states, as are the thresholds. */
  conversion?: Conversion;
  thresholds?: Thresholds;
  /** Of a compact record. */
  sharing?: Sharing;
}

export function encodeSensorRecord(record: SensorRecord): Buffer {
  const { conversion, thresholds, sharing } = record;
  const name = encodePackedText(record.name);
  const bytes = Buffer.alloc((conversion ? fullNameAt : compactNameAt) + name.length);
  const type = conversion ? fullRecord : compactRecord;
  const format = conversion?.format ?? 'none';
  bytes.set(recordLayout.encode({ ...record, type, length: bytes.length - sdrHeaderBytes, format }));
  if (conversion !== undefined) bytes.set(conversionLayout.encode(conversion), conversionAt);
  else if (sharing !== undefined) bytes.set(sharingLayout.encode(sharing), conversionAt);
  if (thresholds !== undefined) bytes.set(thresholdsLayout.encode(thresholds), thresholdsAt);
  bytes.set(name, bytes.length - name.length);
  return bytes;
}

export function decodeSensorRecord(bytes: Buffer): SensorRecord | undefined {
  const decoded = recordLayout.decode(bytes);
  if (decoded === undefined) return undefined;
  const { type, length: _, format, ...fields } = decoded;
  if (type !== fullRecord && type !== compactRecord) return undefined;
  const name = decodePackedText(bytes, type === fullRecord ? fullNameAt : compactNameAt)?.text ?? '';
  if (type === compactRecord) {
    const sharing = sharingLayout.decode(bytes.subarray(conversionAt));
    return sharing && { ...fields, name, sharing };
  }
  const conversion = conversionLayout.decode(bytes.subarray(conversionAt));
  const thresholds = thresholdsLayout.decode(bytes.subarray(thresholdsAt));
  return conversion && thresholds && { ...fields, name, conversion: { ...conversion, format }, thresholds };
}

/** Returns a record for each sensor that shares this one. */
export function expandSharing(record: SensorRecord): SensorRecord[] {
  const { count, endsInLetter, firstSuffix } = record.sharing ?? { count: 1, endsInLetter: false, firstSuffix: 0 };
  if (count < 2) return [record];
  return Array.from({ length: count }, (_, index) => {
    const suffix = firstSuffix + index;
    const ending = endsInLetter ? letterSuffix(suffix) : String(suffix);
    return { ...record, number: record.number + index, name: `${record.name} ${ending}` };
  });
}

/** A to Z, then AA, AB and so on. */
function letterSuffix(suffix: number): string {
  const letter = String.fromCharCode(0x41 + (suffix % 26));
  return suffix < 26 ? letter : `${letterSuffix(Math.floor(suffix / 26) - 1)}${letter}`;
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

/** The conversion of these sensors differs for each reading: see `getSensorReadingFactors`. */
export function isNonLinear({ linearisation }: Conversion): boolean {
  return linearisation >= 0x70;
}

/** The factors of one reading of a non-linear sensor. */
export const factorsLayout = layout(u8('nextReading'), ...factors);

/** Returns the value of a raw reading, or undefined if the sensor is not analog or is non-linear. */
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
