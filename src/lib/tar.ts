// Headers of tar archives in ustar format.

export const blockBytes = 512;
/** Sizes from here on do not fit into eleven octal digits and use GNU tar's binary form. */
const octalLimit = 8 ** 11;

/** How many bytes follow an entry of this size, so that the next one begins with a block. */
export function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** Without a time, equal content makes equal archives. */
export function createHeader(name: string, bytes: number, { type = '0', seconds = 0 } = {}): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100);
  block.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  if (bytes < octalLimit) block.write(`${octal(bytes, 11)}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  block.write(`${octal(seconds, 11)}\0`, 136);
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  return withChecksum(block);
}

export function withChecksum(block: Buffer): Buffer {
  block.write(`${octal(checksum(block), 6)}\0 `, 148);
  return block;
}

/** Returns undefined for a block that is no header, or is damaged. */
export function readHeader(block: Buffer): { readonly name: string; readonly bytes: number } | undefined {
  const number = (from: number, to: number) => Number.parseInt(block.toString('latin1', from, to), 8);
  if (block.toString('latin1', 257, 262) !== 'ustar' || number(148, 154) !== checksum(block)) return undefined;
  const bytes = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : number(124, 135);
  return { name: block.toString('utf8', 0, block.indexOf(0)), bytes };
}

/** Sums all bytes, counting the checksum field itself as spaces. */
function checksum(block: Buffer): number {
  return block.reduce((sum, byte, index) => sum + (index >= 148 && index < 156 ? 0x20 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}
