// A bounds-checked cursor over bytes from the network: reading past the end throws WireError.
import { WireError } from './errors.ts';
import { labelCharacters, maxLabels, maxNameBytes } from './name.ts';

export class Reader {
  readonly bytes: Buffer;
  at: number;
  end: number;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = start;
    this.end = end;
  }

  get left(): number {
    return this.end - this.at;
  }

  u8(): number {
    return this.bytes[this.take(1)]!;
  }

  u16(): number {
    return this.bytes.readUInt16BE(this.take(2));
  }

  u32(): number {
    return this.bytes.readUInt32BE(this.take(4));
  }

  u48(): number {
    return this.bytes.readUIntBE(this.take(6), 6);
  }

  slice(length: number): Buffer {
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  rest(): Buffer {
    return this.slice(this.left);
  }

  /**
   * Reads a name, following compression. Each pointer must lead further back than all before, so it cannot loop, and there
   * can be as many as labels: thousands of names that share a chain of thousands of pointers would take a second.
   */
  name(): string {
    const { bytes } = this;
    let text = '';
    let length = 1;
    let at = this.at;
    let end = this.end;
    let lowest = this.at;
    let resumeAt = -1;
    let pointers = 0;
    for (;;) {
      if (at >= end) throw new WireError('a name exceeds the message');
      const size = bytes[at]!;
      if (size === 0) break;
      if (size < 64) {
        length += size + 1;
        if (length > maxNameBytes) throw new WireError('a name is too long');
        if (at + 1 + size > end) throw new WireError('a label exceeds the message');
        if (text !== '') text += '.';
        for (let index = at + 1; index <= at + size; index++) text += labelCharacters[bytes[index]!]!;
        at += size + 1;
      } else if (size >= 192) {
        if (at + 2 > end) throw new WireError('a pointer exceeds the message');
        const target = ((size & 0x3f) << 8) | bytes[at + 1]!;
        if (target >= lowest) throw new WireError('a pointer does not point backwards');
        if (++pointers > maxLabels) throw new WireError('a name has too many pointers');
        if (resumeAt < 0) resumeAt = at + 2;
        end = lowest;
        lowest = target;
        at = target;
      } else {
        throw new WireError('a label has an unknown type');
      }
    }
    this.at = resumeAt < 0 ? at + 1 : resumeAt;
    return text;
  }

  private take(length: number): number {
    const start = this.at;
    if (start < 0 || length < 0 || start + length > this.end) throw new WireError('the message is truncated');
    this.at = start + length;
    return start;
  }
}
