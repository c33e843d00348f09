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
import { qcow2Image } from './qcow2.ts';
import { transferError, type Session } from './session.ts';
import { element, writeXml } from './xml.ts';

const rangeBytes = 2 ** 21;
const zeros = Buffer.alloc(rangeBytes);

export interface VolumeContent {
  /** Creates a disk of this size with the content of a customer's disk; what is zero occupies no space. */
  create(
    name: string,
    { format, bytes }: DiskShape,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
  ): Promise<StorageVolume>;
  /** Copies a disk that no running machine uses, with what it has from its template. */
  copy(source: StorageVolume, name: string, format: 'raw' | 'qcow2', bytes: number, signal: AbortSignal): Promise<void>;
  read(volume: StorageVolume, bytes: number, signal: AbortSignal): AsyncGenerator<Buffer>;
}

export interface DiskShape {
  /** Raw on block devices only: libvirt would guess the format of a file. */
  readonly format: 'raw' | 'qcow2';
  readonly bytes: number;
}

export function openVolumeContent(session: Session, poolName: string): VolumeContent {
  const { call } = session;
  const pool = async (signal: AbortSignal) => (await call(storagePoolLookupByName, { name: poolName }, signal)).pool;
  const write = async (volume: StorageVolume, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> => {
    let offset = 0;
    let isWritten = true;
    for await (const range of inRanges(content)) {
      isWritten = !range.equals(zeros.subarray(0, range.length));
      if (isWritten) await writeRange(session, volume, offset, range, signal);
      offset += range.length;
    }
    // So that the file has its whole length.
    if (!isWritten) await writeRange(session, volume, offset - 1, Buffer.of(0), signal);
  };
  return {
    async create(name, { format, bytes }, content, signal) {
      const xml = writeXml(describeVolume(name, bytes, format));
      const { volume } = await call(storageVolCreateXml, { pool: await pool(signal), xml, flags: 0 }, signal);
      await write(volume, format === 'qcow2' ? qcow2Image(bytes, content) : content, signal);
      return volume;
    },
    async copy(source, name, format, bytes, signal) {
      const xml = writeXml(describeVolume(name, bytes, format));
      await call(storageVolCreateXmlFrom, { pool: await pool(signal), xml, source, flags: 0 }, signal);
    },
    async *read(volume, bytes, signal) {
      for (let offset = 0; offset < bytes; offset += rangeBytes)
        yield await readRange(session, volume, offset, Math.min(rangeBytes, bytes - offset), signal);
    },
  };
}

/** Reads what fits into memory. */
export async function readRange(
  session: Session,
  volume: StorageVolume,
  offset: number,
  length: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const range = { offset: BigInt(offset), length: BigInt(length), flags: 0 };
  const stream = await session.openStream(storageVolDownload, { volume, ...range }, signal);
  try {
    const content = await buffer(addAbortSignal(signal, stream).iterator({ destroyOnReturn: false }));
    stream.end();
    await finished(stream, { signal });
    if (content.length !== length)
      throw new ApiError('node_error', { internal: `${volume.name} is shorter than the hypervisor reported` });
    return content;
  } catch (error) {
    stream.destroy();
    throw transferError(error, signal);
  }
}

/** Returns when the daemon has written it. */
export async function writeRange(
  session: Session,
  volume: StorageVolume,
  offset: number,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<void> {
  const range = { offset: BigInt(offset), length: BigInt(bytes.length), flags: 0 };
  const stream = await session.openStream(storageVolUpload, { volume, ...range }, signal);
  stream.resume().end(bytes);
  try {
    await finished(stream, { signal });
  } catch (error) {
    stream.destroy();
    throw transferError(error, signal);
  }
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
