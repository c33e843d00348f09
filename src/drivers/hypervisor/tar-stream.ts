// Reads and writes tar archives as streams, for the content of backups. Only plain files with short names are written; see
// tar-rewrite.ts for archives of LXD, which have every kind of entry.
import { ApiError } from '#lib/api-error.ts';
import { blockBytes, createHeader, paddingOf, readHeader } from '#lib/tar.ts';

export interface TarEntry {
  readonly name: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

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
    if (paddingOf(bytes) > 0) yield Buffer.alloc(paddingOf(bytes));
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
      const { name, bytes } = requireHeader(header);
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
      const padding = paddingOf(bytes);
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

export function requireHeader(block: Buffer): { readonly name: string; readonly bytes: number } {
  const header = readHeader(block);
  if (header === undefined) throw damaged('the archive is damaged');
  return header;
}
