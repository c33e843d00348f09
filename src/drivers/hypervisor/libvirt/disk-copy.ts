// Copies the files of a machine that is off from the storage pool of one hypervisor to that of another, through Hostyard. A disk
// is an overlay on its template, which another hypervisor may have in a different version, so the machine takes a copy of the
// template along: MACHINE.SYSTEM.base.
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { ApiError } from '#lib/api-error.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import {
  storagePoolLookupByName,
  storageVolCreateXml,
  storageVolGetXmlDesc,
  storageVolLookupByPath,
  storageVolUpload,
  type StorageVolume,
} from '#protocols/libvirt/procedures.ts';
import type { CopyProgress } from '../migration.ts';
import { setBackingFile } from './qcow2.ts';
import { transferError, undefinedOnError, type Session } from './session.ts';
import { canGrow, type Storage } from './storage.ts';
import { readRange } from './volume-content.ts';
import { element, findPath, parseXml, writeXml, type Element } from './xml.ts';

export interface CopySide {
  readonly session: Session;
  readonly storage: Storage;
  readonly pool: string;
}

/** A file to copy, and its name in the other pool. */
export interface CopiedFile {
  readonly path: string;
  readonly volume: StorageVolume;
  readonly name: string;
  readonly fileBytes: number;
  /** How large it can become. */
  readonly capacityBytes: number;
  /** The name of the copy that it is an overlay on. */
  readonly base?: string;
}

/** A stream must not get further ahead of its reader than this. */
const rangeBytes = 4 * 2 ** 20;
/** The daemon reads the whole pool again after each upload. */
const segmentBytes = 32 * rangeBytes;
const sliceMs = 5000;

/** Lists the file at the path and what it is an overlay on, the lowest first. */
export async function listFiles(side: CopySide, path: string, signal: AbortSignal): Promise<readonly CopiedFile[]> {
  const lookup = side.session.call(storageVolLookupByPath, { path }, signal);
  const found = await undefinedOnError(errorCode.noStorageVolume, lookup);
  if (found === undefined)
    throw new ApiError('capability_missing', {
      message: 'The machine has a disk that is in no storage pool, so it cannot be copied.',
      internal: `${path} is in no storage pool`,
    });
  const { volume } = found;
  const description = await describe(side, volume, signal);
  const below = findPath(description, 'backingStore', 'path')?.text ?? '';
  const sizes = { fileBytes: sizeOf(description, 'physical'), capacityBytes: sizeOf(description, 'capacity') };
  if (below === '') return [{ path, volume, name: volume.name, ...sizes }];
  const bases = await listFiles(side, below, signal);
  const renamed = bases.map((base, index) => ({ ...base, name: baseName(volume.name, bases.length - index) }));
  const chained = renamed.map((base, index) => (index === 0 ? base : { ...base, base: renamed[index - 1]!.name }));
  return [...chained, { path, volume, name: volume.name, ...sizes, base: chained.at(-1)!.name }];
}

function baseName(disk: string, depth: number): string {
  return `${disk.replace(/\.[^.]*$/, '')}.base${depth === 1 ? '' : depth}`;
}

/** Copies from this position in the sequence of all files, for a few seconds. */
export async function copyFiles(
  source: CopySide,
  target: CopySide,
  files: readonly CopiedFile[],
  position: number,
  signal: AbortSignal,
): Promise<CopyProgress> {
  const totalBytes = files.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
  if (position === 0) await requireSpace(target, files, signal);
  const end = performance.now() + sliceMs;
  let copiedBytes = Math.min(position, totalBytes);
  while (copiedBytes < totalBytes && performance.now() < end) {
    const { file, offset } = fileAt(files, copiedBytes);
    const volume = await openCopy(target, file, offset, signal);
    // Whoever removed the copy has to be followed.
    if (volume === undefined) return { copiedBytes: 0, totalBytes, isComplete: false };
    copiedBytes += await copySegment(source, target, file, volume, offset, signal);
  }
  return { copiedBytes, totalBytes, isComplete: copiedBytes === totalBytes };
}

function fileAt(files: readonly CopiedFile[], position: number): { file: CopiedFile; offset: number } {
  let start = 0;
  for (const file of files) {
    if (position < start + file.fileBytes) return { file, offset: position - start };
    start += file.fileBytes;
  }
  throw new RangeError(`no file at ${position}`);
}

/** Creates the copy if nothing is copied yet. */
async function openCopy(
  target: CopySide,
  { name, fileBytes }: CopiedFile,
  offset: number,
  signal: AbortSignal,
): Promise<StorageVolume | undefined> {
  const existing = await target.storage.find(name, signal);
  if (offset > 0) return existing;
  if (existing !== undefined) await target.storage.remove(existing, signal);
  const bytes = { unit: 'bytes' };
  const description = element(
    'volume',
    {},
    element('name', {}, name),
    element('capacity', bytes, String(fileBytes)),
    element('allocation', bytes, '0'),
    element('target', {}, element('format', { type: 'raw' })),
  );
  const { pool } = await target.session.call(storagePoolLookupByName, { name: target.pool }, signal);
  const request = { pool, xml: writeXml(description), flags: 0 };
  return (await target.session.call(storageVolCreateXml, request, signal)).volume;
}

async function copySegment(
  source: CopySide,
  target: CopySide,
  file: CopiedFile,
  volume: StorageVolume,
  offset: number,
  signal: AbortSignal,
): Promise<number> {
  const length = Math.min(segmentBytes, file.fileBytes - offset);
  const range = { offset: BigInt(offset), length: BigInt(length), flags: 0 };
  const upload = await target.session.openStream(storageVolUpload, { volume, ...range }, signal);
  upload.resume();
  try {
    for (let at = offset; at < offset + length; at += rangeBytes) {
      const content = await readRange(
        source.session,
        file.volume,
        at,
        Math.min(rangeBytes, offset + length - at),
        signal,
      );
      if (at === 0 && file.base !== undefined) setBackingFile(content, await pathOf(target, file.base, signal));
      if (!upload.write(content)) await once(upload, 'drain', { signal });
    }
    upload.end();
    await finished(upload, { signal });
  } catch (error) {
    upload.destroy();
    throw transferError(error, signal);
  }
  return length;
}

async function pathOf({ storage }: CopySide, name: string, signal: AbortSignal): Promise<string> {
  const volume = await storage.find(name, signal);
  if (volume === undefined) throw new ApiError('node_error', { internal: `the copy ${name} is gone` });
  return volume.key;
}

async function requireSpace({ storage }: CopySide, files: readonly CopiedFile[], signal: AbortSignal): Promise<void> {
  const needed = files.map((file) => (canGrow(file) ? Math.max(file.fileBytes, file.capacityBytes) : file.fileBytes));
  const neededBytes = needed.reduce((sum, bytes) => sum + bytes, 0);
  const { freeBytes, growthBytes } = await storage.freeSpace(signal);
  if (freeBytes - growthBytes < neededBytes)
    throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this machine.' });
}

async function describe({ session }: CopySide, volume: StorageVolume, signal: AbortSignal): Promise<Element> {
  return parseXml((await session.call(storageVolGetXmlDesc, { volume, flags: 0 }, signal)).xml);
}

/** libvirt writes these in bytes. */
function sizeOf(description: Element, which: 'physical' | 'capacity'): number {
  return Number((findPath(description, which) ?? findPath(description, 'allocation'))?.text ?? 0);
}
