// The subset of XDR (RFC 4506) that libvirt uses, as composable codecs. Input comes from a daemon, so every length is
// checked against the bytes available.
import { LibvirtError } from './error.ts';

export interface Codec<T> {
  write(value: T, out: Buffer[]): void;
  read(input: XdrInput): T;
}

/** The value that a codec decodes. */
export type Decoded<Source> = Source extends Codec<infer Value> ? Value : never;

export interface XdrInput {
  readonly bytes: Buffer;
  position: number;
}

export function encode<T>(codec: Codec<T>, value: T): Buffer {
  const out: Buffer[] = [];
  codec.write(value, out);
  return Buffer.concat(out);
}

/** Decodes all of the bytes, or throws. */
export function decode<T>(codec: Codec<T>, bytes: Buffer): T {
  const input = { bytes, position: 0 };
  const value = codec.read(input);
  if (input.position !== bytes.length) throw malformed(`${bytes.length - input.position} extra bytes`);
  return value;
}

/** Decodes a prefix of the bytes, for structures of which only the start matters. */
export function decodePrefix<T>(codec: Codec<T>, bytes: Buffer): T {
  return codec.read({ bytes, position: 0 });
}

function malformed(why: string): LibvirtError {
  return new LibvirtError('badResponse', `malformed message: ${why}`);
}

function readBytes(input: XdrInput, length: number): Buffer {
  const end = input.position + length;
  if (end > input.bytes.length) throw malformed('it is too short');
  const part = input.bytes.subarray(input.position, end);
  input.position = end;
  return part;
}

/** A number with the accessors of that name in `Buffer`. */
function numeric<T extends number | bigint>(
  width: number,
  type: T extends number ? 'Int32BE' | 'UInt32BE' | 'DoubleBE' : 'BigInt64BE' | 'BigUInt64BE',
): Codec<T> {
  return {
    write(value, out) {
      const bytes = Buffer.allocUnsafe(width);
      bytes[`write${type}`](value as never);
      out.push(bytes);
    },
    read: (input) => readBytes(input, width)[`read${type}`]() as T,
  };
}

export const int32 = numeric<number>(4, 'Int32BE');
export const uint32 = numeric<number>(4, 'UInt32BE');
export const int64 = numeric<bigint>(8, 'BigInt64BE');
export const uint64 = numeric<bigint>(8, 'BigUInt64BE');
export const float64 = numeric<number>(8, 'DoubleBE');

export const nothing: Codec<undefined> = { write: () => {}, read: () => undefined };

/** Bytes of a fixed length. */
export function opaque(length: number): Codec<Buffer> {
  const padding = Buffer.alloc((4 - (length % 4)) % 4);
  return {
    write: (value, out) => void out.push(value, padding),
    read(input) {
      const value = readBytes(input, length);
      readBytes(input, padding.length);
      return value;
    },
  };
}

/** Bytes with their length. */
export const bytes: Codec<Buffer> = {
  write(value, out) {
    uint32.write(value.length, out);
    opaque(value.length).write(value, out);
  },
  read: (input) => opaque(uint32.read(input)).read(input),
};

export const text: Codec<string> = {
  write(value, out) {
    const bytes = Buffer.from(value, 'utf8');
    uint32.write(bytes.length, out);
    opaque(bytes.length).write(bytes, out);
  },
  read: (input) => opaque(uint32.read(input)).read(input).toString('utf8'),
};

export function optional<T>(codec: Codec<T>): Codec<T | undefined> {
  return {
    write(value, out) {
      uint32.write(value === undefined ? 0 : 1, out);
      if (value !== undefined) codec.write(value, out);
    },
    read: (input) => (uint32.read(input) === 0 ? undefined : codec.read(input)),
  };
}

const minItemBytes = 4;

export function list<T>(codec: Codec<T>): Codec<readonly T[]> {
  return {
    write(values, out) {
      uint32.write(values.length, out);
      for (const value of values) codec.write(value, out);
    },
    read(input) {
      const count = uint32.read(input);
      if (count > (input.bytes.length - input.position) / minItemBytes) throw malformed(`a list of ${count}`);
      return Array.from({ length: count }, () => codec.read(input));
    },
  };
}

export function struct<T extends object>(fields: { readonly [K in keyof T]: Codec<T[K]> }): Codec<Readonly<T>> {
  const names = Object.keys(fields) as (keyof T)[];
  return {
    write(value, out) {
      for (const name of names) fields[name].write(value[name], out);
    },
    read: (input) => Object.fromEntries(names.map((name) => [name, fields[name].read(input)])) as T,
  };
}

/** A discriminated union: the number selects the codec. */
export function tagged<T>(
  codecs: Readonly<Record<number, Codec<T>>>,
): Codec<{ readonly tag: number; readonly value: T }> {
  const codecOf = (tag: number): Codec<T> => {
    const codec = codecs[tag];
    if (codec === undefined) throw malformed(`unknown type ${tag}`);
    return codec;
  };
  return {
    write({ tag, value }, out) {
      int32.write(tag, out);
      codecOf(tag).write(value, out);
    },
    read(input) {
      const tag = int32.read(input);
      return { tag, value: codecOf(tag).read(input) };
    },
  };
}
