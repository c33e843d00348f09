// A name prepared for lookups: its lower-case wire form, and a hash of every suffix, computed once from right to left.
// Customers and the senders of queries choose the names, so the hash depends on secrets of this process.
import { randomBytes } from 'node:crypto';
import { labelBytes, maxLabels, maxNameBytes, splitLabels } from '#protocols/dns/name.ts';

const secrets = new Uint32Array(new Uint8Array(randomBytes(8)).buffer);
const seed = secrets[0]! | 0;
const multiplier = secrets[1]! | 1;

const lowerCase = new Uint8Array(256).map((_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

function mixByte(hash: number, byte: number): number {
  const mixed = Math.imul(hash ^ byte, multiplier);
  return mixed ^ (mixed >>> 15);
}

const asterisk = 0x2a;
/** Two bytes for each of the name. */
const orderBytes = Buffer.alloc(2 * maxNameBytes);

export class NameKey {
  readonly bytes = new Uint8Array(maxNameBytes);
  length = 0;
  labels = 0;
  /** The offset of each label; the one after the last is that of the root. */
  readonly starts = new Uint8Array(maxLabels + 1);
  /** The hash of the suffix that begins with each label; the last is the root's. */
  readonly hashes = new Int32Array(maxLabels + 1);

  /**
   * Reads an uncompressed name from `at`. Returns the offset after it, or -1 if it is compressed, too long or not
   * complete.
   */
  read(source: Uint8Array, at: number, end: number): number {
    const { bytes, starts } = this;
    let length = 0;
    let labels = 0;
    for (;;) {
      if (at >= end) return -1;
      const size = source[at]!;
      if (size === 0) break;
      if (size > 63 || at + size >= end || length + size + 2 > maxNameBytes) return -1;
      starts[labels++] = length;
      bytes[length++] = size;
      for (let last = at + size; at < last;) bytes[length++] = lowerCase[source[++at]!]!;
      at++;
    }
    starts[labels] = length;
    bytes[length++] = 0;
    this.length = length;
    this.labels = labels;
    this.hash();
    return at + 1;
  }

  readText(name: string): void {
    const { bytes, starts } = this;
    let length = 0;
    let labels = 0;
    if (name.includes('\\')) {
      for (const label of splitLabels(name)) {
        const content = labelBytes(label);
        starts[labels++] = length;
        bytes[length++] = content.length;
        for (const byte of content) bytes[length++] = lowerCase[byte]!;
      }
    } else if (name !== '') {
      let sizeAt = 0;
      starts[labels++] = length++;
      for (let at = 0; at < name.length; at++) {
        const code = name.charCodeAt(at);
        if (code === 0x2e) {
          bytes[sizeAt] = length - sizeAt - 1;
          sizeAt = length;
          starts[labels++] = length++;
        } else bytes[length++] = lowerCase[code]!;
      }
      bytes[sizeAt] = length - sizeAt - 1;
    }
    starts[labels] = length;
    bytes[length++] = 0;
    this.length = length;
    this.labels = labels;
    this.hash();
  }

  /** The name's place in the canonical order, as `orderKey` in src/protocols/dns/dnssec/canonical.ts gives it. */
  orderKey(): string {
    const { bytes, starts } = this;
    let length = 0;
    for (let label = this.labels - 1; label >= 0; label--) {
      const start = starts[label]!;
      orderBytes[length++] = 0;
      for (let at = start + 1; at <= start + bytes[start]!; at++) {
        const byte = bytes[at]!;
        if (byte < 2) orderBytes[length++] = 1;
        orderBytes[length++] = byte < 2 ? byte + 1 : byte;
      }
    }
    return orderBytes.toString('latin1', 0, length);
  }

  /** The hash of the wildcard below the suffix that begins with this label. */
  wildcardHash(label: number): number {
    return mixByte(mixByte(this.hashes[label]!, asterisk), 1);
  }

  private hash(): void {
    const { bytes, starts, hashes } = this;
    let hash = seed;
    hashes[this.labels] = hash;
    for (let label = this.labels - 1; label >= 0; label--) {
      const start = starts[label]!;
      for (let at = start + bytes[start]!; at >= start; at--) hash = mixByte(hash, bytes[at]!);
      hashes[label] = hash;
    }
  }
}
