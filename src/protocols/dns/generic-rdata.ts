// The notation for rdata of any type (RFC 3597): `\# 3 abcdef`, a length and bytes in hexadecimal.
import { PresentationError } from './errors.ts';
import { u16 } from './fields.ts';
import type { Word } from './words.ts';
import { Writer } from './writer.ts';

const mark = '\\#';

export function isGeneric(words: readonly Word[]): boolean {
  return words[0]?.text === mark && !words[0].quoted;
}

export function parseGeneric(words: readonly Word[]): Buffer {
  const lengthField = new Writer(2);
  u16('length').parse(words, 1, lengthField, '');
  const length = lengthField.finish().readUInt16BE();
  const hex = words
    .slice(2)
    .map((word) => word.text)
    .join('');
  if (!/^(?:[0-9a-f]{2})*$/i.test(hex)) throw new PresentationError('the data is not hex');
  if (hex.length / 2 !== length) throw new PresentationError(`the data has ${hex.length / 2} bytes, not ${length}`);
  return Buffer.from(hex, 'hex');
}

export function printGeneric(rdata: Uint8Array): string {
  return [mark, rdata.length, Buffer.from(rdata).toString('hex')].join(' ').trim();
}
