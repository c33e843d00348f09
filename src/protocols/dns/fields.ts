// The fields of rdata. Each handles one kind of value in both directions: `parse` reads words and writes bytes, `print`
// reads bytes and returns canonical text. A record type is then a list of fields.
import { isIPv4, isIPv6 } from 'node:net';
import { PresentationError, WireError } from './errors.ts';
import { toAbsolute, parseName } from './name.ts';
import type { Reader } from './reader.ts';
import { maxStringBytes, quoteString, splitString, stringBytes } from './strings.ts';
import type { Word } from './words.ts';
import type { Writer } from './writer.ts';

/** How names are written: `plain` for customers (mail.example.com), `dotted` for zone files and PowerDNS. */
export type NameStyle = 'plain' | 'dotted';

export interface Field {
  /** Names the field in error messages. */
  readonly label: string;
  /** Parses the words from `at` and returns how many it used. Throws PresentationError. */
  parse(words: readonly Word[], at: number, out: Writer, origin: string): number;
  print(reader: Reader, style: NameStyle): string;
}

/** A field of exactly one word. */
export function wordField(
  label: string,
  write: (text: string, out: Writer, origin: string) => void,
  print: Field['print'],
): Field {
  const parse: Field['parse'] = (words, at, out, origin) => {
    const word = words[at];
    if (!word) throw new PresentationError(`the ${label} is missing`);
    write(word.text, out, origin);
    return 1;
  };
  return { label, parse, print };
}

function parseInteger(label: string, text: string, highest: number): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= highest))
    throw new PresentationError(`the ${label} must be a number from 0 to ${highest}, not ${JSON.stringify(text)}`);
  return value;
}

/** A number, which may also be written as a mnemonic. It is printed as a number, because every name server reads that. */
export function number(
  label: string,
  width: 'u8' | 'u16' | 'u32',
  mnemonics: Readonly<Record<string, number>> = {},
): Field {
  const highest = { u8: 0xff, u16: 0xffff, u32: 0xffffffff }[width];
  return wordField(
    label,
    (text, out) => out[width](mnemonics[text.toUpperCase()] ?? parseInteger(label, text, highest)),
    (reader) => String(reader[width]()),
  );
}
export const u8 = (label: string): Field => number(label, 'u8');
export const u16 = (label: string): Field => number(label, 'u16');
export const u32 = (label: string): Field => number(label, 'u32');

const unitSeconds = { '': 1, s: 1, m: 60, h: 3600, d: 86400, w: 604800 } as const;
export const maxTtlSeconds = 0x7fffffff;

/** Parses `3600`, `1h` or `1h30m`; returns undefined for anything else. */
export function parseSeconds(text: string): number | undefined {
  if (!/^(?:\d{1,10}[smhdw]){1,8}$|^\d{1,10}$/i.test(text)) return undefined;
  let total = 0;
  for (const [, digits, unit] of text.toLowerCase().matchAll(/(\d+)([smhdw]?)/g)) {
    total += Number(digits) * unitSeconds[unit as keyof typeof unitSeconds];
  }
  return total <= maxTtlSeconds ? total : undefined;
}

export function seconds(label: string): Field {
  const write = (text: string, out: Writer) => {
    const value = parseSeconds(text);
    if (value === undefined) {
      throw new PresentationError(
        `the ${label} must be seconds from 0 to ${maxTtlSeconds}, not ${JSON.stringify(text)}`,
      );
    }
    out.u32(value);
  };
  return wordField(label, write, (reader) => String(reader.u32()));
}

/** A domain name. */
export const name = (label: string): Field => nameField(label, () => true);
/** A host name: letters, digits and inner hyphens. Name servers reject zones with anything else in NS, MX or SRV. */
export const host = (label: string): Field => nameField(label, isHost);
/** A host name, or "." for none (RFC 7505, RFC 2782). */
export const hostOrNone = (label: string): Field => nameField(label, (value) => value === '' || isHost(value));

function isHost(value: string): boolean {
  return value.split('.').every((part) => /^[a-z0-9-]+$/.test(part) && !part.startsWith('-') && !part.endsWith('-'));
}

/** Rejects addresses, the most common mistake, which would be well-formed names. */
function nameField(label: string, isAllowed: (value: string) => boolean): Field {
  const write = (text: string, out: Writer, origin: string) => {
    if (/^\d{1,3}(?:\.\d{1,3}){3}\.?$/.test(text) || /^[0-9a-f]*:[0-9a-f:.]*$/i.test(text))
      throw new PresentationError(`the ${label} must be a name, not the address ${text}`);
    const value = parseName(text, origin);
    if (!isAllowed(value))
      throw new PresentationError(`the ${label} must be a host name, not ${JSON.stringify(value)}`);
    out.name(value);
  };
  return wordField(label, write, (reader, style) => {
    const text = reader.name();
    return text === '' || style === 'dotted' ? toAbsolute(text) : text;
  });
}

export function string(label: string): Field {
  const write = (text: string, out: Writer) => {
    const bytes = stringBytes(text);
    if (bytes.length > maxStringBytes)
      throw new PresentationError(`the ${label} is longer than ${maxStringBytes} bytes`);
    out.u8(bytes.length);
    out.bytes(bytes);
  };
  return wordField(label, write, (reader) => quoteString(reader.slice(reader.u8())));
}

/** One or more character strings, to the end. */
export function strings(label: string): Field {
  return {
    label,
    parse(words, at, out) {
      if (at >= words.length) throw new PresentationError(`the ${label} is missing`);
      for (const word of words.slice(at)) {
        for (const part of splitString(stringBytes(word.text))) {
          out.u8(part.length);
          out.bytes(part);
        }
      }
      return words.length - at;
    },
    print(reader) {
      const texts: string[] = [];
      do texts.push(quoteString(reader.slice(reader.u8())));
      while (reader.left > 0);
      return texts.join(' ');
    },
  };
}

/** One text to the end, of any length and without a length byte. */
export function text(label: string): Field {
  const write = (word: string, out: Writer) => out.bytes(stringBytes(word));
  return wordField(label, write, (reader) => quoteString(reader.rest()));
}

/** Letters and digits, unquoted. */
export function tag(label: string): Field {
  const pattern = /^[0-9a-z]{1,255}$/i;
  const write = (word: string, out: Writer) => {
    if (!pattern.test(word)) throw new PresentationError(`the ${label} must be 1 to 255 letters and digits`);
    out.u8(word.length);
    out.bytes(Buffer.from(word, 'latin1'));
  };
  return wordField(label, write, (reader) => {
    const word = reader.slice(reader.u8()).toString('latin1');
    if (!pattern.test(word)) throw new WireError(`the ${label} is malformed`);
    return word;
  });
}

/** Bytes to the end, in hexadecimal or base64; long text may contain blanks. */
export function blob(label: string, encoding: 'hex' | 'base64'): Field {
  const pattern = encoding === 'hex' ? /^[0-9a-f]+$/i : /^[0-9a-z+/]+={0,2}$/i;
  return {
    label,
    parse(words, at, out) {
      const text = words
        .slice(at)
        .map((word) => word.text)
        .join('');
      if (text === '') throw new PresentationError(`the ${label} is missing`);
      const bytes = Buffer.from(text, encoding);
      const isWhole = encoding === 'hex' ? text.length % 2 === 0 : text.length % 4 === 0;
      if (!pattern.test(text) || !isWhole) throw new PresentationError(`the ${label} is not ${encoding}`);
      out.bytes(bytes);
      return words.length - at;
    },
    print(reader) {
      if (reader.left === 0) throw new WireError(`the ${label} is empty`);
      return reader.rest().toString(encoding);
    },
  };
}

/** Strict dotted quads only: no octal or short forms. */
export function ipv4(label: string): Field {
  const write = (text: string, out: Writer) => {
    if (!isIPv4(text)) throw new PresentationError(`the ${label} must be an IPv4 address, not ${JSON.stringify(text)}`);
    out.bytes(text.split('.').map(Number));
  };
  return wordField(label, write, (reader) => reader.slice(4).join('.'));
}

export function ipv6(label: string): Field {
  const write = (text: string, out: Writer) => {
    if (!isIPv6(text) || text.includes('%')) {
      throw new PresentationError(`the ${label} must be an IPv6 address, not ${JSON.stringify(text)}`);
    }
    for (const group of groupsOf(text)) out.u16(group);
  };
  return wordField(label, write, (reader) => printGroups(Array.from({ length: 8 }, () => reader.u16())));
}

function groupsOf(text: string): number[] {
  const [head = '', tail] = text.split('::');
  const leading = readGroups(head);
  if (tail === undefined) return leading;
  const trailing = readGroups(tail);
  return [...leading, ...Array.from({ length: 8 - leading.length - trailing.length }, () => 0), ...trailing];
}

function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number];
    return [(a << 8) | b, (c << 8) | d];
  });
}

function printGroups(groups: number[]): string {
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
