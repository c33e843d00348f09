// The content of volumes, a range at a time: the connection to libvirt is shared, and disconnects a reader that falls behind,
// so a request never exceeds what fits into memory.
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { ApiError } from '#lib/api-error.ts';
import {
  storagePoolLookupByName,
  storageVolCreateXml,
  storageVolCreateXmlFrom,
  storageVolDownload,
  storageVolUpload,
  type StorageVolume,
} from '#protocols/libvirt/procedures.ts';
import type { Session } from './session.ts';
import { element, writeXml } from './xml.ts';

const rangeBytes = 2 ** 21;
const zeros = Buffer.alloc(rangeBytes);
const maxReads = 5;

export interface VolumeContent {
  /** Creates a raw volume that occupies no space before it is written. */
  createEmpty(name: string, bytes: number, signal: AbortSignal): Promise<StorageVolume>;
  /** Copies a disk that no running machine uses, with what it has from its template. */
  copy(source: StorageVolume, name: string, format: 'raw' | 'qcow2', bytes: number, signal: AbortSignal): Promise<void>;
  read(volume: StorageVolume, bytes: number, signal: AbortSignal): AsyncGenerator<Buffer>;
  /** Fills a new volume, and leaves out what is zero. */
  write(volume: StorageVolume, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void>;
}

export function openVolumeContent(session: Session, poolName: string): VolumeContent {
  const { call } = session;
  const pool = async (signal: AbortSignal) => (await call(storagePoolLookupByName, { name: poolName }, signal)).pool;
  const readRange = async (volume: StorageVolume, offset: number, length: number, signal: AbortSignal) => {
    const range = { offset: BigInt(offset), length: BigInt(length), flags: 0 };
    const stream = await session.openStream(storageVolDownload, { volume, ...range }, signal);
    const content = await buffer(addAbortSignal(signal, stream).iterator({ destroyOnReturn: false }));
    stream.end();
    await finished(stream, { signal });
    return content;
  };
  /** A busy daemon sometimes ends a stream early. */
  const readWhole = async (volume: StorageVolume, offset: number, length: number, signal: AbortSignal) => {
    const parts: Buffer[] = [];
    let missing = length;
    for (let attempt = 0; missing > 0 && attempt < maxReads; attempt++) {
      const part = await readRange(volume, offset + length - missing, missing, signal);
      parts.push(part);
      missing -= part.length;
    }
    if (missing !== 0) throw new ApiError('node_error', { internal: 'a volume is shorter than its size' });
    return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  };
  const writeRange = async (volume: StorageVolume, offset: number, bytes: Buffer, signal: AbortSignal) => {
    const range = { offset: BigInt(offset), length: BigInt(bytes.length), flags: 0 };
    const stream = await session.openStream(storageVolUpload, { volume, ...range }, signal);
    stream.resume().end(bytes);
    await finished(stream, { signal });
  };
  return {
    async createEmpty(name, bytes, signal) {
      const xml = writeXml(describeVolume(name, bytes, 'raw'));
      return (await call(storageVolCreateXml, { pool: await pool(signal), xml, flags: 0 }, signal)).volume;
    },
    async copy(source, name, format, bytes, signal) {
      const xml = writeXml(describeVolume(name, bytes, format));
      await call(storageVolCreateXmlFrom, { pool: await pool(signal), xml, source, flags: 0 }, signal);
    },
    async *read(volume, bytes, signal) {
      for (let offset = 0; offset < bytes; offset += rangeBytes)
        yield await readWhole(volume, offset, Math.min(rangeBytes, bytes - offset), signal);
    },
    async write(volume, content, signal) {
      let offset = 0;
      for await (const range of inRanges(content)) {
        if (!range.equals(zeros.subarray(0, range.length))) await writeRange(volume, offset, range, signal);
        offset += range.length;
      }
    },
  };
}

async function* inRanges(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    parts.push(chunk);
    length += chunk.length;
    if (length < rangeBytes) continue;
    const joined = Buffer.concat(parts);
    const whole = length - (length % rangeBytes);
    for (let at = 0; at < whole; at += rangeBytes) yield joined.subarray(at, at + rangeBytes);
    parts = [joined.subarray(whole)];
    length -= whole;
  }
  if (length > 0) yield Buffer.concat(parts);
}

function describeVolume(name: string, bytes: number, format: 'raw' | 'qcow2') {
  return element(
    'volume',
    {},
    element('name', {}, name),
    element('capacity', { unit: 'bytes' }, String(bytes)),
    element('allocation', { unit: 'bytes' }, '0'),
    element('target', {}, element('format', { type: format })),
  );
}
