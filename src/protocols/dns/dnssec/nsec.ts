// NSEC records (RFC 4034 section 4): the next name of the zone, and the types at this one.
import { Writer } from '../writer.ts';

export function nsecData(next: string, types: Iterable<number>): Buffer {
  const out = new Writer(64);
  out.name(next);
  writeTypeBitmap(out, types);
  return out.finish();
}

/** Writes the types in windows of 256 (RFC 4034 section 4.1.2). */
export function writeTypeBitmap(out: Writer, types: Iterable<number>): void {
  const windows = new Map<number, Uint8Array>();
  for (const type of types) {
    const bits = windows.get(type >> 8) ?? new Uint8Array(32);
    bits[(type & 0xff) >> 3]! |= 0x80 >> (type & 7);
    windows.set(type >> 8, bits);
  }
  for (const [window, bits] of [...windows].sort(([one], [other]) => one - other)) {
    const length = bits.findLastIndex((byte) => byte !== 0) + 1;
    out.u8(window);
    out.u8(length);
    out.bytes(bits.subarray(0, length));
  }
}
