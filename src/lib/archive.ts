// Archives in ustar format, so that plain `tar` can open them without Hostyard. Written in one pass under a temporary
// name until complete and on disk; read by seeking, so that one entry of a large archive is as cheap as
// of a small one, which streaming tar libraries cannot do.
import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { blockBytes, createHeader, paddingOf, readHeader } from './tar.ts';

export interface ArchivedFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}
export interface ArchiveEntry {
  readonly name: string;
  readonly bytes: number;
  readonly offset: number;
}

/** An archive's error, worded for the person who provided it. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}

const chunkBytes = 1 << 20;
const ownerOnly = 0o600;

export interface ArchiveWriter extends AsyncDisposable {
  addText(name: string, text: string): Promise<ArchivedFile>;
  addFile(name: string, path: string): Promise<ArchivedFile>;
  /** Gives the archive its final name. */
  finish(): Promise<void>;
}

/** If disposed before it is finished, it leaves nothing behind. */
export async function writeArchive(path: string): Promise<ArchiveWriter> {
  const draft = `${path}.${process.pid}.partial`;
  const file = await open(draft, 'w', ownerOnly);
  await file.chmod(ownerOnly);
  let finished = false;

  async function add(name: string, bytes: number, chunks: Iterable<Buffer> | AsyncIterable<Buffer>) {
    const digest = createHash('sha256');
    await file.appendFile(createHeader(name, bytes, { seconds: Math.floor(Date.now() / 1000) }));
    let written = 0;
    for await (const chunk of chunks) {
      digest.update(chunk);
      written += chunk.length;
      await file.appendFile(chunk);
    }
    if (written !== bytes) throw new ArchiveError(`${name} changed while it was being read`);
    await file.appendFile(Buffer.alloc(paddingOf(bytes)));
    return { name, bytes, sha256: digest.digest('hex') };
  }

  return {
    addText: (name, text) => add(name, Buffer.byteLength(text), [Buffer.from(text)]),
    async addFile(name, source) {
      await using from = await open(source, 'r');
      const { size } = await from.stat();
      // Awaited here, because the file is closed on return.
      return await add(name, size, chunksOf(from, 0, size));
    },
    async finish() {
      await file.appendFile(Buffer.alloc(2 * blockBytes));
      await file.sync();
      await rename(draft, path);
      finished = true;
      await syncFolder(dirname(path));
    },
    async [Symbol.asyncDispose]() {
      await file.close();
      if (!finished) await rm(draft, { force: true });
    },
  };
}

/** A new name is durable only once its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

export async function archiveEntries(archive: FileHandle): Promise<ArchiveEntry[]> {
  const { size } = await archive.stat();
  const entries: ArchiveEntry[] = [];
  for (let at = 0; ;) {
    const { buffer, bytesRead } = await archive.read(Buffer.alloc(blockBytes), 0, blockBytes, at);
    if (bytesRead < blockBytes) throw new ArchiveError('it is truncated, or not a Hostyard backup');
    if (buffer.every((byte) => byte === 0)) return entries;
    const header = readHeader(buffer);
    if (header === undefined) throw new ArchiveError('it is damaged, or not a Hostyard backup');
    const { name, bytes } = header;
    const entry = { name, bytes, offset: at + blockBytes };
    at = entry.offset + bytes + paddingOf(bytes);
    if (at > size) throw new ArchiveError(`it is truncated in ${name}`);
    entries.push(entry);
  }
}

export async function archiveText(archive: FileHandle, entry: ArchiveEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(archive, entry.offset, entry.bytes)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the digest of an entry, and writes the entry to a path if there is one. */
export async function archiveDigest(archive: FileHandle, entry: ArchiveEntry, to?: string): Promise<string> {
  const digest = createHash('sha256');
  await using target = to === undefined ? undefined : await open(to, 'wx', ownerOnly);
  for await (const chunk of chunksOf(archive, entry.offset, entry.bytes)) {
    digest.update(chunk);
    await target?.appendFile(chunk);
  }
  await target?.sync();
  return digest.digest('hex');
}

async function* chunksOf(file: FileHandle, from: number, bytes: number): AsyncGenerator<Buffer> {
  for (let done = 0; done < bytes;) {
    const length = Math.min(chunkBytes, bytes - done);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from + done);
    if (bytesRead === 0) return;
    done += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
