// Codecs of IPMI messages: a layout lists the fields of a message once, for both directions. Datagrams come from
// anywhere: decoders return undefined for anything that is not their message, and never throw.

export interface Codec<Value> {
  encode(value: Value): Buffer;
  decode(bytes: Buffer): Value | undefined;
}
/** The value that a codec decodes. */
export type Decoded<Source> = Source extends Codec<infer Value> ? Value : never;

/** A command with codecs for both directions, so that client and simulator share one definition. */
export interface Command<Request, Response> {
  name: string;
  netFn: number;
  code: number;
  request: Codec<Request>;
  response: Codec<Response>;
}

/** Network functions: the groups that commands belong to. */
export const netFn = { chassis: 0x00, sensor: 0x04, app: 0x06, storage: 0x0a, transport: 0x0c } as const;

/** Reads forward. Past the end, returns zeros and fails. */
export class Reader {
  readonly #bytes: Buffer;
  #offset = 0;
  #hasFailed = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  /** Marks the bytes as something other than the expected message. */
  fail(): void {
    this.#hasFailed = true;
  }

  uint(width: number): number {
    if (!this.#has(width)) return 0;
    this.#offset += width;
    return this.#bytes.readUIntLE(this.#offset - width, width);
  }

  bytes(length: number): Buffer {
    if (!this.#has(length)) return Buffer.alloc(0);
    this.#offset += length;
    return this.#bytes.subarray(this.#offset - length, this.#offset);
  }

  #has(length: number): boolean {
    if (length > this.remaining) this.fail();
    return length <= this.remaining;
  }
}

/** Creates a decoder from a reading function; returns undefined if the reader failed. */
export function decoder<Value>(read: (reader: Reader) => Value): (bytes: Buffer) => Value | undefined {
  return (bytes) => {
    const reader = new Reader(bytes);
    const value = read(reader);
    return reader.hasFailed ? undefined : value;
  };
}

/** Consecutive bytes of a message with the fields that they contain. */
export interface Part<Fields> {
  write(fields: Fields): Buffer;
  read(reader: Reader, fields: Fields): void;
}

type Merged<Parts> = Parts extends readonly [Part<infer First>, ...infer Others] ? First & Merged<Others> : unknown;
type Flat<Fields> = { [Name in keyof Fields]: Fields[Name] };

/**
 * A message that consists of these parts, such as `layout(u8('tag'), reserved(2), rest('data'))`. Extra bytes are
 * ignored, because later revisions and vendors append fields.
 */
export function layout<Parts extends readonly Part<unknown>[]>(...parts: Parts): Codec<Flat<Merged<Parts>>> {
  return {
    encode: (fields) => Buffer.concat(parts.map((part) => part.write(fields))),
    decode: decoder((reader) => {
      const fields = {} as Flat<Merged<Parts>>;
      for (const part of parts) part.read(reader, fields);
      return fields;
    }),
  };
}

/** A message that is one value: the field `value` of its layout. */
export function single<Value>(codec: Codec<{ value: Value }>): Codec<Value> {
  return { encode: (value) => codec.encode({ value }), decode: (bytes) => codec.decode(bytes)?.value };
}

/** A value that is stored as a little-endian number. */
export function field<Name extends string, Value>(
  name: Name,
  width: number,
  toNumber: (value: Value) => number,
  fromNumber: (number: number) => Value,
): Part<Record<Name, Value>> {
  return {
    write(fields) {
      const bytes = Buffer.alloc(width);
      bytes.writeUIntLE(toNumber(fields[name]), 0, width);
      return bytes;
    },
    read: (reader, fields) => void (fields[name] = fromNumber(reader.uint(width))),
  };
}

const uint = <Name extends string>(name: Name, width: number): Part<Record<Name, number>> =>
  field(name, width, Number, Number);
export const u8 = <Name extends string>(name: Name) => uint(name, 1);
export const u16 = <Name extends string>(name: Name) => uint(name, 2);
export const u24 = <Name extends string>(name: Name) => uint(name, 3);
export const u32 = <Name extends string>(name: Name) => uint(name, 4);

/** Bytes of a field, as many as `length` returns. */
function raw<Name extends string>(name: Name, length: (reader: Reader) => number): Part<Record<Name, Buffer>> {
  return {
    write: (fields) => fields[name],
    read: (reader, fields) => void (fields[name] = reader.bytes(length(reader))),
  };
}
export const binary = <Name extends string>(name: Name, length: number) => raw(name, () => length);
export const rest = <Name extends string>(name: Name, maxLength = Number.POSITIVE_INFINITY) =>
  raw(name, (reader) => Math.min(reader.remaining, maxLength));

/** Text of a fixed width, padded with zeros. */
export function fixedText<Name extends string>(name: Name, width: number): Part<Record<Name, string>> {
  return {
    write: (fields) => paddedText(fields[name], width),
    read: (reader, fields) => void (fields[name] = textUntilZero(reader.bytes(width))),
  };
}

/** Bytes without a field, which are not checked. */
export function constant(...values: readonly number[]): Part<unknown> {
  return { write: () => Buffer.from(values), read: (reader) => void reader.bytes(values.length) };
}
export const reserved = (length: number): Part<unknown> => constant(...Buffer.alloc(length));
/** Bytes at the end that some senders omit. */
export const trailer = (...values: readonly number[]): Part<unknown> => ({
  write: () => Buffer.from(values),
  read: () => {},
});

/** A value in some bits of a byte. */
export interface Bits<Value> {
  write(value: Value): number;
  read(byte: number, reader: Reader): Value;
}

/** A byte that several fields share. */
export function byteOf<Fields extends object>(items: {
  readonly [Name in keyof Fields]: Bits<Fields[Name]>;
}): Part<Fields> {
  const names = Object.keys(items) as (keyof Fields)[];
  return {
    write: (fields) => Buffer.from([names.reduce((byte, name) => byte | items[name].write(fields[name]), 0)]),
    read(reader, fields) {
      const byte = reader.uint(1);
      for (const name of names) fields[name] = items[name].read(byte, reader);
    },
  };
}

export function bits(width: number, shift = 0): Bits<number> {
  const mask = 2 ** width - 1;
  return { write: (value) => value << shift, read: (byte) => (byte >> shift) & mask };
}

export function flag(mask: number): Bits<boolean> {
  return { write: (isSet) => (isSet ? mask : 0), read: (byte) => (byte & mask) !== 0 };
}

/** One of several names. An unknown code counts as the fallback; without one, it is not the expected message. */
export function choice<Name extends string>(
  codes: Readonly<Record<Name, number>>,
  position: Bits<number>,
  fallback?: NoInfer<Name>,
): Bits<Name> {
  const names = Object.keys(codes) as Name[];
  const nameByCode = new Map(names.map((name) => [codes[name], name]));
  return {
    write: (name) => position.write(codes[name]),
    read(byte, reader) {
      const name = nameByCode.get(position.read(byte, reader)) ?? fallback;
      if (name === undefined) reader.fail();
      return name ?? names[0]!;
    },
  };
}

export const nothing: Codec<null> = { encode: () => Buffer.alloc(0), decode: () => null };
export const singleByte = single(layout(u8('value')));

export function command<Request, Response>(
  name: string,
  networkFunction: number,
  code: number,
  request: Codec<Request>,
  response: Codec<Response>,
): Command<Request, Response> {
  return { name, netFn: networkFunction, code, request, response };
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

export function paddedText(text: string, width: number): Buffer {
  const bytes = Buffer.alloc(width);
  bytes.write(text, 'latin1');
  return bytes;
}

export function textUntilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
}
