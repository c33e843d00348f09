// The interface of all codecs, and a bounds-checked reader. Datagrams come from anywhere: decoders return undefined for
// anything that is not their message, and never throw.

export interface Codec<Value> {
  encode(value: Value): Buffer;
  decode(bytes: Buffer): Value | undefined;
}

/** A command with codecs for both directions, so that client and simulator share one definition. */
export interface Command<Request, Response> {
  name: string;
  netFn: number;
  code: number;
  request: Codec<Request>;
  response: Codec<Response>;
}

/** Reads forward. Past the end, returns zeros and sets `isShort`. */
export class Reader {
  readonly #bytes: Buffer;
  #offset = 0;
  #short = false;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isShort(): boolean {
    return this.#short;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  #take(length: number): number {
    const at = this.#offset;
    if (length > this.remaining) {
      this.#short = true;
      return -1;
    }
    this.#offset += length;
    return at;
  }

  u8(): number {
    const at = this.#take(1);
    return at < 0 ? 0 : this.#bytes.readUInt8(at);
  }

  u16(): number {
    const at = this.#take(2);
    return at < 0 ? 0 : this.#bytes.readUInt16LE(at);
  }

  u24(): number {
    const at = this.#take(3);
    return at < 0 ? 0 : this.#bytes.readUIntLE(at, 3);
  }

  u32(): number {
    const at = this.#take(4);
    return at < 0 ? 0 : this.#bytes.readUInt32LE(at);
  }

  bytes(length: number): Buffer {
    const at = this.#take(length);
    return at < 0 ? Buffer.alloc(0) : this.#bytes.subarray(at, at + length);
  }

  rest(): Buffer {
    return this.bytes(this.remaining);
  }
}

/** Creates a decoder from a reading function; returns undefined if the bytes ran out. */
export function decoder<Value>(read: (reader: Reader) => Value | undefined): (bytes: Buffer) => Value | undefined {
  return (bytes) => {
    const reader = new Reader(bytes);
    const value = read(reader);
    return reader.isShort ? undefined : value;
  };
}

/** No fields. Extra bytes are ignored everywhere, because later revisions and vendors append fields. */
export const nothing: Codec<null> = { encode: () => Buffer.alloc(0), decode: () => null };

/** A command whose response is only a completion code. */
export function action<Request>(
  name: string,
  netFn: number,
  code: number,
  request: Codec<Request>,
): Command<Request, null> {
  return { name, netFn, code, request, response: nothing };
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Encodes text in a fixed-width field, padded with zeros. */
export function paddedText(text: string, width: number): Buffer {
  const bytes = Buffer.alloc(width);
  bytes.write(text, 'latin1');
  return bytes;
}

export function textUntilZero(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('latin1', 0, end < 0 ? bytes.length : end);
}
