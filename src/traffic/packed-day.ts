// Packs a port's day into one database row instead of 288. Each direction has the width that its largest interval needs
// (1 to 7 bytes per value, none for an idle port); marks take one byte each, and none on a day without marks. A gigabit
// port's day is at most 2,885 bytes, and decoding a month takes about as long as one row of a query.
//
//   0  version          1  in width        2  out width       3  1 if marks follow
//   4  number of intervals from midnight UTC (16 bits)        6  in values, out values, marks

import {
  daySeconds,
  emptySeries,
  intervalSeconds,
  sampleMarks,
  putSamples,
  type Sample,
  type Series,
} from './series.ts';

const formatVersion = 1;
const headerBytes = 6;
const maxWidth = 7;

export class PackedDayError extends Error {
  override readonly name = 'PackedDayError';
}

/** Returns the day with these samples added; samples of other days are ignored. `packed` is the stored day, if any. */
export function addToDay(packed: Uint8Array | undefined, dayStart: number, samples: readonly Sample[]): Buffer {
  const day = emptySeries(dayStart, dayStart + daySeconds);
  if (packed !== undefined) unpackDay(packed, dayStart, day);
  putSamples(day, samples);
  return packDay(day);
}

export function dayStartOf(seconds: number): number {
  return Math.floor(seconds / daySeconds) * daySeconds;
}

/** `day` starts at midnight; missing intervals at its end are not stored. */
export function packDay({ inBytes, outBytes, marks }: Series): Buffer {
  let count = marks.length;
  while (count > 0 && marks[count - 1] === sampleMarks.missing) count--;
  const [inWidth, outWidth] = [valueWidth(inBytes, count), valueWidth(outBytes, count)];
  const isMarked = marks.subarray(0, count).some((mark) => mark !== 0);
  const packed = Buffer.allocUnsafe(headerBytes + count * (inWidth + outWidth + (isMarked ? 1 : 0)));
  packed.set([formatVersion, inWidth, outWidth, isMarked ? 1 : 0]);
  packed.writeUInt16LE(count, 4);
  writeValues(packed, headerBytes, inBytes, inWidth, count);
  writeValues(packed, headerBytes + count * inWidth, outBytes, outWidth, count);
  if (isMarked) packed.set(marks.subarray(0, count), headerBytes + count * (inWidth + outWidth));
  return packed;
}

/** Copies the part of the day that lies within `series`. */
export function unpackDay(packed: Uint8Array, dayStart: number, series: Series): void {
  const [version, inWidth = 0, outWidth = 0, isMarked = 0, countLow = 0, countHigh = 0] = packed;
  const count = countLow + countHigh * 256;
  const length = headerBytes + count * (inWidth + outWidth + isMarked);
  if (
    version !== formatVersion ||
    inWidth > maxWidth ||
    outWidth > maxWidth ||
    isMarked > 1 ||
    packed.length !== length
  )
    throw new PackedDayError('a stored day of traffic is corrupt');
  const offset = (dayStart - series.start) / intervalSeconds;
  const first = Math.max(0, -offset);
  const end = Math.min(count, series.marks.length - offset);
  if (first >= end) return;
  readValues(packed, headerBytes, inWidth, series.inBytes, offset, first, end);
  readValues(packed, headerBytes + count * inWidth, outWidth, series.outBytes, offset, first, end);
  const marksAt = headerBytes + count * (inWidth + outWidth);
  if (isMarked === 1) series.marks.set(packed.subarray(marksAt + first, marksAt + end), offset + first);
  else series.marks.fill(0, offset + first, offset + end);
}

function valueWidth(values: Float64Array, count: number): number {
  let most = 0;
  for (let index = 0; index < count; index++) most = Math.max(most, values[index]!);
  if (most > Number.MAX_SAFE_INTEGER) throw new PackedDayError('an interval has more bytes than can be counted');
  let width = 0;
  for (; most >= 1; most /= 256) width++;
  return width;
}

// Both of these treat the low three bytes and the high four separately: no bigint, and bits can be shifted.
function writeValues(packed: Buffer, at: number, values: Float64Array, width: number, count: number): void {
  for (let index = 0; index < count; index++) {
    const high = Math.floor(values[index]! / 2 ** 24);
    const low = values[index]! - high * 2 ** 24;
    for (let byte = 0; byte < width; byte++) packed[at++] = byte < 3 ? low >> (8 * byte) : high >> (8 * (byte - 3));
  }
}

function readValues(
  packed: Uint8Array,
  at: number,
  width: number,
  values: Float64Array,
  offset: number,
  first: number,
  end: number,
): void {
  if (width === 0) return void values.fill(0, offset + first, offset + end);
  const [two, three, four, five, six, seven] = [width > 1, width > 2, width > 3, width > 4, width > 5, width > 6];
  for (let index = first, byte = at + first * width; index < end; index++, byte += width) {
    const low = packed[byte]! | (two ? packed[byte + 1]! << 8 : 0) | (three ? packed[byte + 2]! << 16 : 0);
    const high =
      (four ? packed[byte + 3]! : 0) |
      (five ? packed[byte + 4]! << 8 : 0) |
      (six ? packed[byte + 5]! << 16 : 0) |
      (seven ? packed[byte + 6]! << 24 : 0);
    values[offset + index] = low + high * 2 ** 24;
  }
}
