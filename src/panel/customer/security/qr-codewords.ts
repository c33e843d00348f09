// The codewords of a QR code: a text's bytes with a head and padding, in blocks, each with its Reed-Solomon check bytes, interleaved
// so that a stain spoils a little of each.

export interface Version {
  readonly number: number;
  /** Check bytes of each block. */
  readonly check: number;
  /** How many data bytes each block has. */
  readonly blocks: readonly number[];
  /** Where the alignment patterns stand, across and down. */
  readonly alignment: readonly number[];
}

const times = (count: number, length: number): number[] => Array.from({ length: count }, () => length);

/** ISO/IEC 18004, tables 9 and E.1, error correction M. */
export const versions: readonly Version[] = [
  { number: 1, check: 10, blocks: [16], alignment: [] },
  { number: 2, check: 16, blocks: [28], alignment: [6, 18] },
  { number: 3, check: 26, blocks: [44], alignment: [6, 22] },
  { number: 4, check: 18, blocks: times(2, 32), alignment: [6, 26] },
  { number: 5, check: 24, blocks: times(2, 43), alignment: [6, 30] },
  { number: 6, check: 16, blocks: times(4, 27), alignment: [6, 34] },
  { number: 7, check: 18, blocks: times(4, 31), alignment: [6, 22, 38] },
  { number: 8, check: 22, blocks: [...times(2, 38), ...times(2, 39)], alignment: [6, 24, 42] },
  { number: 9, check: 22, blocks: [...times(3, 36), ...times(2, 37)], alignment: [6, 26, 46] },
  { number: 10, check: 26, blocks: [...times(4, 43), 44], alignment: [6, 28, 50] },
];

/** In the smallest version that holds it; undefined where none does. */
export function codewordsOf(bytes: Uint8Array): { version: Version; codewords: Uint8Array } | undefined {
  const version = versions.find((one) => bytes.length + (one.number < 10 ? 2 : 3) <= capacityOf(one));
  if (version === undefined) return undefined;
  const data = dataOf(bytes, version);
  let at = 0;
  const blocks = version.blocks.map((length) => data.subarray(at, (at += length)));
  const checks = blocks.map((block) => checkOf(block, version.check));
  return { version, codewords: Uint8Array.from([...interleaved(blocks), ...interleaved(checks)]) };
}

function capacityOf({ blocks }: Version): number {
  return blocks.reduce((sum, length) => sum + length, 0);
}

/** Mode 4 (bytes) in four bits, the count in 8 or 16, the bytes, four bits of end, then padding. */
function dataOf(bytes: Uint8Array, version: Version): Uint8Array {
  const count = version.number < 10 ? [bytes.length] : [bytes.length >> 8, bytes.length & 255];
  const whole = [...count, ...bytes];
  const data = new Uint8Array(capacityOf(version));
  for (let index = 0; index < data.length; index++) {
    const before = index === 0 ? 4 : (whole[index - 1] ?? 0) & 15;
    const isPadding = index > whole.length;
    data[index] = isPadding
      ? [0xec, 0x11][(index - whole.length - 1) % 2]!
      : (before << 4) | ((whole[index] ?? 0) >> 4);
  }
  return data;
}

function interleaved(blocks: readonly Uint8Array[]): number[] {
  const longest = Math.max(...blocks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => blocks.flatMap((block) => block[index] ?? [])).flat();
}

/** In the field of 256 elements with x⁸ + x⁴ + x³ + x² + 1. */
export function product(one: number, other: number): number {
  let sum = 0;
  for (let bit = 7; bit >= 0; bit--) {
    sum = (sum << 1) ^ ((sum >> 7) * 0x11d);
    if (((other >> bit) & 1) === 1) sum ^= one;
  }
  return sum;
}

/** The remainder of the block by the polynomial whose roots are the first powers of 2. */
function checkOf(block: Uint8Array, count: number): Uint8Array {
  let generator = [1];
  for (let power = 0, root = 1; power < count; power++, root = product(root, 2))
    generator = [...generator, 0].map((value, index) => value ^ product(generator[index - 1] ?? 0, root));
  const rest = [...block, ...times(count, 0)];
  for (let index = 0; index < block.length; index++) {
    const factor = rest[index]!;
    for (const [offset, value] of generator.entries()) rest[index + offset]! ^= product(value, factor);
  }
  return Uint8Array.from(rest.slice(block.length));
}
