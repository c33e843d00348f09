// Archives in ustar format, so that plain `tar` can open them without Hostyard. Written in one pass under a temporary
// name until complete and on disk; read by seeking, so that one entry of a large archive is as cheap as
// of a small one, which streaming tar libraries cannot do.
import { createHash } from 'node:crypto';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

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

const blockBytes = 512;
const chunkBytes = 1 << 20;
const ownerOnly = 0o600;
/** Sizes from here on do not fit into eleven octal digits and use GNU tar's binary form. */
const octalLimit = 8 ** 11;

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
    await file.appendFile(createHeader(name, bytes));
    let written = 0;
    for await (const chunk of chunks) {
      digest.update(chunk);
      written += chunk.length;
      await file.appendFile(chunk);
    }
    if (written !== bytes) throw new ArchiveError(`${name} changed while it was being read`);
    await file.appendFile(Buffer.alloc(padding(bytes)));
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
    const { name, bytes } = readHeader(buffer);
    const entry = { name, bytes, offset: at + blockBytes };
    at = entry.offset + bytes + padding(bytes);
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

function padding(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

function createHeader(name: string, bytes: number): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100);
  block.write(`${octal(ownerOnly, 7)}\0${octal(0, 7)}\0${octal(0, 7)}\0`, 100);
  if (bytes < octalLimit) block.write(`${octal(bytes, 11)}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(bytes), 128);
  }
  block.write(`${octal(Math.floor(Date.now() / 1000), 11)}\0`, 136);
  block.write('0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(`${octal(checksum(block), 6)}\0 `, 148);
  return block;
}

function readHeader(block: Buffer): { name: string; bytes: number } {
  const number = (from: number, to: number) => Number.parseInt(block.toString('latin1', from, to), 8);
  if (block.toString('latin1', 257, 262) !== 'ustar' || number(148, 154) !== checksum(block))
    throw new ArchiveError('it is damaged, or not a Hostyard backup');
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
