// Builds a message or record data in a buffer that grows, with name compression (RFC 1035 section 4.1.4). A mark taken
// before a record set allows going back when the set turns out not to fit.
import { labelBytes, nextDot } from './name.ts';

const LAST_POINTER_TARGET = 0x3fff;

export class Writer {
  private buffer: Buffer;
  private readonly offsets = new Map<string, number>();
  at = 0;

  constructor(size = 512) {
    this.buffer = Buffer.allocUnsafe(size);
  }

  u8(value: number): void {
    this.reserve(1);
    this.buffer[this.at++] = value;
  }

  u16(value: number): void {
    this.reserve(2);
    this.at = this.buffer.writeUInt16BE(value, this.at);
  }

  u32(value: number): void {
    this.reserve(4);
    this.at = this.buffer.writeUInt32BE(value, this.at);
  }

  u48(value: number): void {
    this.reserve(6);
    this.at = this.buffer.writeUIntBE(value, this.at, 6);
  }

  bytes(value: Uint8Array | readonly number[]): void {
    this.reserve(value.length);
    this.buffer.set(value, this.at);
    this.at += value.length;
  }

  /** Sets two bytes written before, such as a length that is known only now. */
  patchU16(at: number, value: number): void {
    this.buffer.writeUInt16BE(value, at);
  }

  name(name: string): void {
    for (let start = 0; start < name.length;) start = this.label(name, start);
    this.u8(0);
  }

  compressedName(name: string): void {
    for (let start = 0; start < name.length;) {
      const suffix = start === 0 ? name : name.slice(start);
      const known = this.offsets.get(suffix);
      if (known !== undefined) {
        this.u16(0xc000 | known);
        return;
      }
      if (this.at <= LAST_POINTER_TARGET) this.offsets.set(suffix, this.at);
      start = this.label(name, start);
    }
    this.u8(0);
  }

  /** Takes back everything since `mark`, the names that later ones could have pointed to included. */
  rewind(mark: number): void {
    this.at = mark;
    for (const [suffix, offset] of this.offsets) if (offset >= mark) this.offsets.delete(suffix);
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  private label(name: string, start: number): number {
    const dot = nextDot(name, start);
    const end = dot < 0 ? name.length : dot;
    this.reserve(end - start + 1);
    const sizeAt = this.at++;
    const plain = name.slice(start, end);
    if (plain.includes('\\')) this.bytes(labelBytes(plain));
    else this.at += this.buffer.write(plain, this.at, 'latin1');
    this.buffer[sizeAt] = this.at - sizeAt - 1;
    return end + 1;
  }

  private reserve(length: number): void {
    if (this.at + length <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + length));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }
}
