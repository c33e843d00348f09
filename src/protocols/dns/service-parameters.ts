// The parameters of SVCB and HTTPS records (RFC 9460): `alpn=h2,h3 port=8443`, quoted or not, in any order. They are
// printed in the order of their keys and in the one form that PowerDNS 4.7 accepts: lists without quotes, other values
// in quotes, and keys that it has no name for by number.
import { PresentationError, WireError } from './errors.ts';
import { type Field, blob, ipv4, ipv6, u16 } from './fields.ts';
import { Reader } from './reader.ts';
import { escapeWord, maxStringBytes, quoteString, stringBytes } from './strings.ts';
import type { Word } from './words.ts';
import { Writer } from './writer.ts';

/** A value in both directions. `value` is undefined if the parameter was written without one. */
interface ValueFormat {
  parse(name: string, value: string | undefined): Buffer;
  /** Includes the equals sign, if there is one. */
  print(name: string, value: Buffer): string;
}

const comma = 0x2c;
const backslash = 0x5c;
const invalidKey = 0xffff;

function requireValue(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new PresentationError(`${name} has no value`);
  return value;
}

const opaque: ValueFormat = {
  parse: (_, value) => stringBytes(value ?? ''),
  print: (_, value) => `=${quoteString(value)}`,
};

const flag: ValueFormat = {
  parse(name, value) {
    if (value !== undefined) throw new PresentationError(`${name} takes no value`);
    return Buffer.alloc(0);
  },
  print(name, value) {
    if (value.length > 0) throw malformed(name);
    return '';
  },
};

/** One value, or several separated by commas, each in the form of a record's field. */
function fieldValue(fieldOf: (name: string) => Field, count: 'one' | 'many'): ValueFormat {
  return {
    parse(name, value) {
      const whole = requireValue(name, value);
      const out = new Writer(16);
      for (const part of count === 'one' ? [whole] : whole.split(','))
        fieldOf(name).parse([{ text: part, quoted: false, line: 1, column: 1 }], 0, out, '');
      return out.finish();
    },
    print(name, value) {
      const reader = new Reader(value);
      const parts: string[] = [];
      do parts.push(fieldOf(name).print(reader, 'plain'));
      while (reader.left > 0);
      if (count === 'one' && parts.length > 1) throw malformed(name);
      return `=${parts.join()}`;
    },
  };
}

/** Protocol ids, which may contain escaped commas. */
const protocolList: ValueFormat = {
  parse(name, value) {
    const out = new Writer(16);
    for (const id of splitList(name, stringBytes(requireValue(name, value)))) {
      if (id.length > maxStringBytes) throw new PresentationError(`${name} has an entry of more than 255 bytes`);
      out.u8(id.length);
      out.bytes(id);
    }
    return out.finish();
  },
  print(name, value) {
    const reader = new Reader(value);
    const parts: string[] = [];
    do {
      const id = reader.slice(reader.u8());
      if (id.length === 0) throw malformed(name);
      parts.push(
        escapeWord(
          Buffer.from([...id].flatMap((byte) => (byte === comma || byte === backslash ? [backslash, byte] : [byte]))),
        ),
      );
    } while (reader.left > 0);
    return `=${parts.join()}`;
  },
};

function splitList(name: string, bytes: Buffer): number[][] {
  const parts: number[][] = [[]];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === comma) parts.push([]);
    else parts.at(-1)!.push(byte === backslash && at + 1 < bytes.length ? bytes[++at]! : byte);
  }
  if (parts.some((part) => part.length === 0)) throw new PresentationError(`${name} has an empty entry`);
  return parts;
}

const keyList: ValueFormat = {
  parse(name, value) {
    const keys = requireValue(name, value).split(',').map(parseKey);
    if (keys.includes(parameterKeys.mandatory)) throw new PresentationError(`${name} cannot contain itself`);
    if (new Set(keys).size < keys.length) throw new PresentationError(`${name} contains a key twice`);
    const out = new Writer(16);
    for (const key of keys.toSorted((left, right) => left - right)) out.u16(key);
    return out.finish();
  },
  print(name, value) {
    const keys = readKeys(value);
    const isAscending = keys.every((key, index) => key > (keys[index - 1] ?? parameterKeys.mandatory));
    if (keys.length === 0 || !isAscending) throw malformed(name);
    return `=${keys.map(keyName).join()}`;
  },
};

function readKeys(value: Uint8Array): number[] {
  const reader = new Reader(value);
  const keys: number[] = [];
  while (reader.left > 0) keys.push(reader.u16());
  return keys;
}

const parameterKeys = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
} as const;
/** Names that are read, but not printed. */
const otherKeys: Readonly<Record<string, number>> = { dohpath: 7, ohttp: 8 };
const keyNames = new Map<number, string>(Object.entries(parameterKeys).map(([name, key]) => [key, name]));

const valueFormats: Readonly<Record<number, ValueFormat>> = {
  [parameterKeys.mandatory]: keyList,
  [parameterKeys.alpn]: protocolList,
  [parameterKeys['no-default-alpn']]: flag,
  [parameterKeys.port]: fieldValue(u16, 'one'),
  [parameterKeys.ipv4hint]: fieldValue(ipv4, 'many'),
  [parameterKeys.ech]: {
    parse: fieldValue((name) => blob(name, 'base64'), 'one').parse,
    print: (_, value) => `="${value.toString('base64')}"`,
  },
  [parameterKeys.ipv6hint]: fieldValue(ipv6, 'many'),
};

function keyName(key: number): string {
  return keyNames.get(key) ?? `key${key}`;
}

function parseKey(text: string): number {
  const name = text.toLowerCase();
  const named = new Map<string, number>(Object.entries({ ...parameterKeys, ...otherKeys })).get(name);
  const key = named ?? Number(/^key(0|[1-9]\d{0,4})$/.exec(name)?.[1] ?? invalidKey);
  if (key >= invalidKey) throw new PresentationError(`${JSON.stringify(text)} is not a service parameter`);
  return key;
}

function malformed(name: string): WireError {
  return new WireError(`${name} has a malformed value`);
}

interface Parameter {
  readonly key: number;
  readonly value: Buffer;
}

/** All parameters, to the end. */
export const serviceParameters: Field = {
  label: 'parameters',
  parse(words, at, out) {
    const parameters = joinWords(words.slice(at)).map(parseParameter);
    checkParameters(parameters);
    for (const { key, value } of parameters.toSorted((left, right) => left.key - right.key)) {
      out.u16(key);
      out.u16(value.length);
      out.bytes(value);
    }
    return words.length - at;
  },
  print(reader) {
    const parts: string[] = [];
    let last = -1;
    while (reader.left > 0) {
      const key = reader.u16();
      if (key <= last || key === invalidKey) throw new WireError('the service parameters are not in order');
      last = key;
      parts.push(keyName(key) + printValue(key, reader.slice(reader.u16())));
    }
    return parts.join(' ');
  },
};

function printValue(key: number, value: Buffer): string {
  return (valueFormats[key] ?? opaque).print(keyName(key), value);
}

/** A quoted value follows its `key=` without a blank, and is a separate word. */
function joinWords(words: readonly Word[]): { name: string; value: string | undefined }[] {
  const parameters: { name: string; value: string | undefined }[] = [];
  for (let at = 0; at < words.length; at++) {
    const { text, quoted, line, column } = words[at]!;
    const equals = quoted ? -1 : text.indexOf('=');
    const next = words[at + 1];
    const isQuotedNext = next?.quoted === true && next.line === line && next.column === column + text.length;
    if (equals >= 0 && equals === text.length - 1 && isQuotedNext) at++;
    const value = equals < 0 ? undefined : text.slice(equals + 1) || (words[at]!.quoted ? words[at]!.text : '');
    parameters.push({ name: equals < 0 ? text : text.slice(0, equals), value });
  }
  return parameters;
}

function parseParameter({ name, value }: { name: string; value: string | undefined }): Parameter {
  const key = parseKey(name);
  const format = name.toLowerCase() === keyName(key) ? valueFormats[key] : undefined;
  const bytes = (format ?? opaque).parse(keyName(key), value);
  try {
    printValue(key, bytes);
  } catch (error) {
    throw error instanceof WireError ? new PresentationError(`${keyName(key)} has a malformed value`) : error;
  }
  return { key, value: bytes };
}

function checkParameters(parameters: readonly Parameter[]): void {
  const values = new Map<number, Buffer>();
  for (const { key, value } of parameters) {
    if (values.has(key)) throw new PresentationError(`the record has ${keyName(key)} twice`);
    values.set(key, value);
  }
  if (values.has(parameterKeys['no-default-alpn']) && !values.has(parameterKeys.alpn))
    throw new PresentationError('no-default-alpn needs alpn');
  for (const key of readKeys(values.get(parameterKeys.mandatory) ?? Buffer.alloc(0)))
    if (!values.has(key)) throw new PresentationError(`mandatory contains ${keyName(key)}, which is missing`);
}
