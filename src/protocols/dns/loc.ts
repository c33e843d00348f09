// LOC (RFC 1876): a location in thousandths of an arc second and centimetres, printed in the full form that PowerDNS
// requires: `52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000.00m 10.00m`.
import { PresentationError, WireError } from './errors.ts';
import type { Field } from './fields.ts';
import type { Reader } from './reader.ts';
import type { Word } from './words.ts';

const equatorOffset = 0x80000000;
const altitudeBaseCm = 10_000_000;
const defaultCm = { size: 100, horizontal: 1_000_000, vertical: 1000 };

interface Axis {
  label: string;
  positive: string;
  negative: string;
  maxDegrees: number;
}
const latitudeAxis: Axis = { label: 'latitude', positive: 'N', negative: 'S', maxDegrees: 90 };
const longitudeAxis: Axis = { label: 'longitude', positive: 'E', negative: 'W', maxDegrees: 180 };

export const location: Field = {
  label: 'location',
  parse(words, at, out) {
    const latitude = parseAngle(words, at, latitudeAxis);
    const longitude = parseAngle(words, latitude.next, longitudeAxis);
    let next = longitude.next;
    const altitude = words[next];
    if (!altitude) throw new PresentationError('the altitude is missing');
    const altitudeCm = parseMetres(altitude.text, 'altitude', -100_000, 42_849_672.95);
    next++;
    const precision = (label: keyof typeof defaultCm) => {
      const word = words[next];
      if (!word) return encodePrecision(defaultCm[label]);
      next++;
      return encodePrecision(parseMetres(word.text, label, 0, 90_000_000));
    };
    out.u8(0);
    out.u8(precision('size'));
    out.u8(precision('horizontal'));
    out.u8(precision('vertical'));
    out.u32(equatorOffset + latitude.value);
    out.u32(equatorOffset + longitude.value);
    out.u32(altitudeBaseCm + altitudeCm);
    return next - at;
  },
  print(reader) {
    if (reader.u8() !== 0) throw new WireError('a LOC version other than 0');
    const [size, horizontal, vertical] = [decodePrecision(reader), decodePrecision(reader), decodePrecision(reader)];
    const latitude = printAngle(reader.u32() - equatorOffset, latitudeAxis);
    const longitude = printAngle(reader.u32() - equatorOffset, longitudeAxis);
    const metres = [reader.u32() - altitudeBaseCm, size, horizontal, vertical].map((cm) => `${(cm / 100).toFixed(2)}m`);
    return [latitude, longitude, ...metres].join(' ');
  },
};

function parseAngle(words: readonly Word[], at: number, axis: Axis): { value: number; next: number } {
  const numbers: number[] = [];
  for (let next = at; next < words.length && next <= at + 3; next++) {
    const { text } = words[next]!;
    const letter = text.toUpperCase();
    if (letter === axis.positive || letter === axis.negative) {
      const [degrees = Number.NaN, minutes = 0, secondsOfArc = 0] = numbers;
      const value = Math.round((degrees * 3600 + minutes * 60 + secondsOfArc) * 1000);
      const fits = Number.isInteger(degrees) && Number.isInteger(minutes) && minutes < 60 && secondsOfArc < 60;
      if (!fits || value > axis.maxDegrees * 3_600_000) break;
      return { value: letter === axis.positive ? value : -value, next: next + 1 };
    }
    if (!/^\d{1,3}(?:\.\d{1,3})?$/.test(text)) break;
    numbers.push(Number(text));
  }
  throw new PresentationError(
    `the ${axis.label} must be degrees up to ${axis.maxDegrees}, minutes, seconds and ${axis.positive} or ${axis.negative}`,
  );
}

function printAngle(value: number, axis: Axis): string {
  const thousandths = Math.abs(value);
  if (thousandths > axis.maxDegrees * 3_600_000) throw new WireError(`the ${axis.label} is out of range`);
  const degrees = Math.floor(thousandths / 3_600_000);
  const minutes = Math.floor((thousandths % 3_600_000) / 60_000);
  const secondsOfArc = ((thousandths % 60_000) / 1000).toFixed(3);
  return `${degrees} ${minutes} ${secondsOfArc} ${value < 0 ? axis.negative : axis.positive}`;
}

function parseMetres(text: string, label: string, lowest: number, highest: number): number {
  const metres = /^-?\d{1,8}(?:\.\d{1,2})?m?$/i.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (!(metres >= lowest && metres <= highest)) {
    throw new PresentationError(
      `the ${label} must be metres from ${lowest} to ${highest}, not ${JSON.stringify(text)}`,
    );
  }
  return Math.round(metres * 100);
}

/** Encodes as one digit and a power of ten, which is the format's precision. */
function encodePrecision(centimetres: number): number {
  let power = 0;
  let digit = centimetres;
  for (; digit >= 10; power++) digit = Math.floor(digit / 10);
  return (digit << 4) | power;
}

function decodePrecision(reader: Reader): number {
  const byte = reader.u8();
  if (byte >> 4 > 9 || (byte & 15) > 9) throw new WireError('a LOC precision is malformed');
  return (byte >> 4) * 10 ** (byte & 15);
}
