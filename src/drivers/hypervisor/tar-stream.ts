// Reads and writes tar archives as streams, for the content of backups. Only plain files with short names are written; see
// tar-rewrite.ts for archives of LXD, which have every kind of entry.
import { ApiError } from '#lib/api-error.ts';

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

export const blockBytes = 512;
/** Sizes from here on do not fit into eleven octal digits and use GNU tar's binary form. */
const octalLimit = 8 ** 11;

/** Throws if an entry has more or less content than it says. */
export async function* writeTar(entries: AsyncIterable<TarEntry>): AsyncGenerator<Buffer> {
  for await (const { name, bytes, content } of entries) {
    yield createHeader(name, bytes);
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      yield chunk;
    }
    if (written !== bytes) throw new ApiError('node_error', { internal: `${name} changed while it was being read` });
    if (bytes % blockBytes > 0) yield Buffer.alloc(blockBytes - (bytes % blockBytes));
  }
  yield Buffer.alloc(2 * blockBytes);
}

/** The content of an entry must be read before the next entry. Reads the whole archive, so that its source can check its end. */
export async function* readTar(archive: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = byteReader(archive);
  try {
    for (;;) {
      const header = await source.take(blockBytes);
      if (header === undefined) throw damaged('the archive is truncated');
      if (header.every((byte) => byte === 0)) break;
      const { name, bytes } = readHeader(header);
      let left = bytes;
      async function* content(): AsyncGenerator<Buffer> {
        while (left > 0) {
          const chunk = await source.takeSome(left);
          if (chunk === undefined) throw damaged(`the archive is truncated in ${name}`);
          left -= chunk.length;
          yield chunk;
        }
      }
      yield { name, bytes, content: content() };
      for await (const _ of content());
      const padding = (blockBytes - (bytes % blockBytes)) % blockBytes;
      if (padding > 0 && (await source.take(padding)) === undefined) throw damaged('the archive is truncated');
    }
    while ((await source.takeSome(Infinity)) !== undefined);
  } finally {
    await source.end();
  }
}

export interface ByteReader {
  /** Returns this many bytes, or undefined if there are fewer. */
  take(bytes: number): Promise<Buffer | undefined>;
  /** Returns at most this many bytes, or undefined at the end. */
  takeSome(bytes: number): Promise<Buffer | undefined>;
  end(): Promise<void>;
}

export function byteReader(source: AsyncIterable<Buffer>): ByteReader {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const takeSome = async (bytes: number): Promise<Buffer | undefined> => {
    while (rest.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return undefined;
      rest = next.value;
    }
    const taken = rest.subarray(0, Math.min(bytes, rest.length));
    rest = rest.subarray(taken.length);
    return taken;
  };
  return {
    takeSome,
    async take(bytes) {
      const parts: Buffer[] = [];
      for (let left = bytes; left > 0;) {
        const part = await takeSome(left);
        if (part === undefined) return undefined;
        parts.push(part);
        left -= part.length;
      }
      return parts.length === 1 ? parts[0] : Buffer.concat(parts);
    },
    end: async () => void (await iterator.return?.()),
  };
}

export function damaged(internal: string): ApiError {
  return new ApiError('backup_error', { internal });
}

/** Without the current time, so that equal content makes equal archives. */
export function createHeader(name: string, bytes: number, type = '0'): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100);
  block.write(`${octal(0o600, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  if (bytes < octalLimit) block.write(`${octal(bytes, 11)}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  block.write(`${octal(0, 11)}\0`, 136);
  block.write(type, 156);
  block.write('ustar\x0000', 257, 'latin1');
  return withChecksum(block);
}

export function withChecksum(block: Buffer): Buffer {
  block.write(`${octal(checksum(block), 6)}\0 `, 148);
  return block;
}

export function readHeader(block: Buffer): { readonly name: string; readonly bytes: number } {
  const number = (from: number, to: number) => Number.parseInt(block.toString('latin1', from, to), 8);
  if (block.toString('latin1', 257, 262) !== 'ustar' || number(148, 154) !== checksum(block))
    throw damaged('the archive is damaged');
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
