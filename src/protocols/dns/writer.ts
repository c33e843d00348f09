// Builds a message or rdata in a growing buffer, with name compression (RFC 1035 section 4.1.4). An RRset that does not
// fit can be removed again by rewinding.
import { labelBytes, findDot } from './name.ts';

const lastPointerTarget = 0x3fff;

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

  /** Overwrites two bytes, such as a length that was not known before. */
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
      if (this.at <= lastPointerTarget) this.offsets.set(suffix, this.at);
      start = this.label(name, start);
    }
    this.u8(0);
  }

  /** Removes everything since `mark`, including names as targets of compression pointers. */
  rewind(mark: number): void {
    this.at = mark;
    for (const [suffix, offset] of this.offsets) if (offset >= mark) this.offsets.delete(suffix);
  }

  finish(): Buffer {
    return this.buffer.subarray(0, this.at);
  }

  private label(name: string, start: number): number {
    const dot = findDot(name, start);
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
