// The files of machines in the storage pool. Each system has a copy-on-write disk on top of its template, and a seed.
// Names identify the owner: MACHINE.SYSTEM.qcow2 and MACHINE.SYSTEM.seed, or MACHINE.SYSTEM.NUMBER.seed after a change.
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '#lib/api-error.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import {
  storagePoolGetInfo,
  storagePoolGetXmlDesc,
  storagePoolListAllVolumes,
  storagePoolLookupByName,
  storagePoolRefresh,
  storageVolCreateXml,
  storageVolCreateXmlFrom,
  storageVolDelete,
  storageVolGetInfo,
  storageVolGetXmlDesc,
  storageVolLookupByName,
  storageVolLookupByPath,
  storageVolResize,
  storageVolWipe,
  type StoragePool,
  type StorageVolume,
} from '#protocols/libvirt/procedures.ts';
import { findRemovable, isBase } from './bases.ts';
import type { SystemFiles } from './domain.ts';
import { undefinedOnError, type Session } from './session.ts';
import { readRange, writeRange } from './volume-content.ts';
import { findPath, element, parseXml, writeXml, type Element } from './xml.ts';

export interface Template {
  readonly path: string;
  readonly format: string;
  readonly sizeBytes: number;
  /** The volume of a template that a customer made. Systems are copies of it, because the customer may delete it. */
  readonly copied?: StorageVolume;
}

export interface DiskSource {
  readonly type: 'file' | 'block';
  readonly format: 'qcow2' | 'raw';
  readonly source: Element;
}

export interface VolumeSize {
  readonly sizeBytes: number;
  /** Space that it occupies on the hypervisor's disk. */
  readonly allocatedBytes: number;
}

interface FreeSpace {
  readonly freeBytes: number;
  /** How much of it existing thin disks may still grow into. */
  readonly growthBytes: number;
}

/** Pools whose volumes are files: a new file never shows what the blocks held before. All others can. */
const filePools = new Set(['dir', 'fs', 'netfs', 'gluster', 'vstorage']);
const eraseTimeoutMs = 24 * 3_600_000;

const suffixes = { disk: 'qcow2', seed: 'seed' } as const;
/** The files of a snapshot, MACHINE.SNAPSHOT.SUFFIX. The last two mark a complete one. */
export const snapshotSuffixes = {
  disk: 'snapshot',
  seed: 'snapshot-seed',
  consistent: 'consistent',
  running: 'running',
} as const;
/** TEMPLATE.image, for templates that customers made. */
export const templateSuffix = 'image';

export function isSnapshotFile({ name }: Pick<StorageVolume, 'name'>): boolean {
  return Object.values<string>(snapshotSuffixes).includes(name.split('.').at(-1)!);
}

/** MACHINE.COPY.flat, a raw disk that a backup is read from. */
export const flatSuffix = 'flat';

function isFlat({ name }: Pick<StorageVolume, 'name'>): boolean {
  return name.endsWith(`.${flatSuffix}`);
}

/**
 * Snapshots, templates and flat disks are never written again. libvirt moreover guesses the size of a flat disk by its first bytes,
 * which are the customer's: with the header of a huge image there, the pool would have no space for anybody.
 */
export function canGrow({ name }: Pick<StorageVolume, 'name'>): boolean {
  return !isSnapshotFile({ name }) && !isBase(name) && !name.endsWith(`.${templateSuffix}`) && !isFlat({ name });
}

export function volumeName(machine: string, id: string, which: keyof typeof suffixes): string {
  return `${machine}.${id}.${suffixes[which]}`;
}

/** Returns the number of a seed, 1 for the first one of a system, or undefined if it is another file. */
function seedNumber({ name }: StorageVolume): number | undefined {
  const [, , ...rest] = name.split('.');
  if (rest.at(-1) !== suffixes.seed || rest.length > 2) return undefined;
  return rest.length === 1 ? 1 : Number(rest[0]);
}

/** Returns undefined if the path is not a disk of this machine. */
export function systemIdFromPath(machine: string, path: string): string | undefined {
  const [name, id, suffix, ...others] = (path.split('/').at(-1) ?? '').split('.');
  return name === machine && suffix === suffixes.disk && others.length === 0 ? id : undefined;
}

/** `eraseWaitMs` is how long a caller waits for a volume to be erased, which then continues. */
export function openStorage(session: Session, poolName: string, eraseWaitMs = 10_000) {
  const { call } = session;
  const pool = async (signal: AbortSignal, name = poolName): Promise<StoragePool> =>
    (await call(storagePoolLookupByName, { name }, signal)).pool;
  const find = async (name: string, signal: AbortSignal, from?: string): Promise<StorageVolume | undefined> => {
    const lookup = call(storageVolLookupByName, { pool: await pool(signal, from), name }, signal);
    return (await undefinedOnError(errorCode.noStorageVolume, lookup))?.volume;
  };
  const requireVolume = async (what: string, name: string, from: string, signal: AbortSignal) => {
    const volume = await find(name, signal, from);
    if (volume === undefined) throw new ApiError('node_error', { internal: `the hypervisor has no ${what} ${name}` });
    return volume;
  };
  const hasFiles = async (name: string, signal: AbortSignal): Promise<boolean> => {
    const { xml } = await call(storagePoolGetXmlDesc, { pool: await pool(signal, name), flags: 0 }, signal);
    return filePools.has(parseXml(xml).attributes['type'] ?? '');
  };
  /** Of customers' volumes. */
  const volumeFormat = async (signal: AbortSignal): Promise<'qcow2' | 'raw'> =>
    (await hasFiles(poolName, signal)) ? 'qcow2' : 'raw';
  const deleteVolume = (volume: StorageVolume, signal: AbortSignal): Promise<undefined> =>
    undefinedOnError(errorCode.noStorageVolume, call(storageVolDelete, { volume, flags: 0 }, signal));
  const erasing = new Map<string, Promise<void>>();
  /** Independent of any caller: erasing a large volume takes longer than a call, and must not start again with each. */
  const startErasing = (volume: StorageVolume): Promise<void> => {
    const signal = AbortSignal.timeout(eraseTimeoutMs);
    const work = call(storageVolWipe, { volume, flags: 0 }, signal)
      .then(() => deleteVolume(volume, signal))
      .finally(() => erasing.delete(volume.key));
    erasing.set(volume.key, work);
    // Whoever waits sees the error; if nobody does, the next call to remove starts again.
    work.catch(() => {});
    return work;
  };
  const remove = async (volume: StorageVolume, signal: AbortSignal): Promise<void> => {
    if (await hasFiles(volume.pool, signal)) return void (await deleteVolume(volume, signal));
    const work = erasing.get(volume.key) ?? startErasing(volume);
    const isErased = await Promise.race([work.then(() => true), sleep(eraseWaitMs, false, { ref: false })]);
    if (!isErased) throw new ApiError('device_busy', { message: 'The disks of the machine are being erased.' });
  };
  const sizeOf = async (volume: StorageVolume, signal: AbortSignal): Promise<VolumeSize> => {
    const { capacity, allocation } = await call(storageVolGetInfo, { volume }, signal);
    return { sizeBytes: Number(capacity), allocatedBytes: Number(allocation) };
  };
  const create = async (description: ReturnType<typeof element>, signal: AbortSignal): Promise<StorageVolume> =>
    (await call(storageVolCreateXml, { pool: await pool(signal), xml: writeXml(description), flags: 0 }, signal))
      .volume;
  const download = async (volume: StorageVolume, signal: AbortSignal): Promise<Buffer> =>
    readRange(session, volume, 0, (await sizeOf(volume, signal)).sizeBytes, signal);
  const listSeeds = async (machine: string, id: string, signal: AbortSignal) => {
    const own = (await listVolumes(machine, signal)).filter(({ name }) => name.startsWith(`${machine}.${id}.`));
    const seeds = own.flatMap((volume) => {
      const number = seedNumber(volume);
      return number === undefined ? [] : [{ volume, number }];
    });
    return seeds.toSorted((left, right) => left.number - right.number);
  };
  const listVolumes = async (machine: string, signal: AbortSignal): Promise<readonly StorageVolume[]> => {
    const { volumes } = await call(
      storagePoolListAllVolumes,
      { pool: await pool(signal), needResults: 1, flags: 0 },
      signal,
    );
    return volumes.filter(({ name }) => name.startsWith(`${machine}.`));
  };

  const requireDisk = async (machine: string, id: string, signal: AbortSignal): Promise<StorageVolume> => {
    const disk = await find(volumeName(machine, id, 'disk'), signal);
    if (disk === undefined) throw new ApiError('node_error', { internal: `${machine} has no disk in the pool` });
    return disk;
  };
  const readBacking = async (volume: StorageVolume, signal: AbortSignal) => {
    const { xml } = await call(storageVolGetXmlDesc, { volume, flags: 0 }, signal);
    const description = parseXml(xml);
    const [path, format] = ['path', 'format'].map((part) => findPath(description, 'backingStore', part));
    return path && format && { path: path.text, format };
  };
  const removeVolumes = async (machine: string, isKept: (volume: StorageVolume) => boolean, signal: AbortSignal) => {
    const backingOf = async (volume: StorageVolume) => (await readBacking(volume, signal))?.path;
    for (const volume of await findRemovable(await listVolumes(machine, signal), isKept, backingOf))
      await remove(volume, signal);
  };
  const createLike = async (
    source: StorageVolume,
    name: string,
    content: 'empty' | 'copy' | 'independent copy',
    signal: AbortSignal,
  ): Promise<StorageVolume> => {
    const found = await readBacking(source, signal);
    const isOwn = content !== 'independent copy' || (found !== undefined && !isBase(found.path));
    const backing =
      found && isOwn ? element('backingStore', {}, element('path', {}, found.path), found.format) : undefined;
    const { sizeBytes } = await sizeOf(source, signal);
    const own = volumeXml(name, sizeBytes, 'qcow2', ...(backing ? [backing] : []));
    if (content === 'empty') return create(own, signal);
    const request = { pool: await pool(signal), xml: writeXml(own), source, flags: 0 };
    return (await call(storageVolCreateXmlFrom, request, signal)).volume;
  };
  const createSystemDisk = async (
    name: string,
    { path, format, copied }: Template,
    diskBytes: number,
    signal: AbortSignal,
  ): Promise<StorageVolume> => {
    if (copied !== undefined) {
      const disk = await createLike(copied, name, 'copy', signal);
      await grow(disk, diskBytes, signal);
      return disk;
    }
    const backing = element('backingStore', {}, element('path', {}, path), element('format', { type: format }));
    return create(volumeXml(name, diskBytes, 'qcow2', backing), signal);
  };
  const grow = async (volume: StorageVolume, bytes: number, signal: AbortSignal): Promise<void> => {
    if ((await sizeOf(volume, signal)).sizeBytes < bytes)
      await call(storageVolResize, { volume, capacity: BigInt(bytes), flags: 0 }, signal);
  };
  const freeSpace = async (signal: AbortSignal): Promise<FreeSpace> => {
    const poolRef = await pool(signal);
    // The daemon caches pool information until a refresh.
    const refresh = call(storagePoolRefresh, { pool: poolRef, flags: 0 }, signal);
    // It refuses one while a volume is copied.
    await undefinedOnError(errorCode.internalError, refresh);
    const { available } = await call(storagePoolGetInfo, { pool: poolRef }, signal);
    const { volumes } = await call(storagePoolListAllVolumes, { pool: poolRef, needResults: 1, flags: 0 }, signal);
    const growthOf = async (volume: StorageVolume): Promise<number> => {
      // It may have been removed meanwhile.
      const size = await undefinedOnError(errorCode.noStorageVolume, sizeOf(volume, signal));
      return size === undefined ? 0 : Math.max(0, size.sizeBytes - size.allocatedBytes);
    };
    const growth = await Promise.all(volumes.filter(canGrow).map(growthOf));
    return { freeBytes: Number(available), growthBytes: growth.reduce((sum, bytes) => sum + bytes, 0) };
  };

  return {
    find,
    remove,
    sizeOf,
    listVolumes,
    read: download,
    /**
     * Creates a disk of the same size and on the same template, empty or as a copy. No running machine may use the source of one.
     * An independent copy needs no file of the machine.
     */
    createLike,
    /** Grows a disk that no running machine uses. */
    grow,
    async addFile(name: string, content: Buffer, signal: AbortSignal): Promise<StorageVolume> {
      const volume = await create(volumeXml(name, content.length, 'raw'), signal);
      await writeRange(session, volume, 0, content, signal);
      return volume;
    },
    /** Creates an empty disk. It occupies no space before it is written. */
    async createDisk(name: string, bytes: number, signal: AbortSignal): Promise<void> {
      await create(volumeXml(name, bytes, await volumeFormat(signal)), signal);
    },
    volumeFormat,
    /** Describes where the content of a volume is, as the source of a disk. */
    async sourceOf(volume: StorageVolume, signal: AbortSignal): Promise<DiskSource> {
      return (await hasFiles(volume.pool, signal))
        ? { type: 'file', format: 'qcow2', source: element('source', { file: volume.key }) }
        : { type: 'block', format: 'raw', source: element('source', { dev: volume.key }) };
    },
    /** Creates both files of a system and replaces any that exist. */
    async build(
      machine: string,
      id: string,
      content: { readonly template: Template; readonly diskBytes: number; readonly seed: Buffer },
      signal: AbortSignal,
    ): Promise<SystemFiles> {
      const { template, diskBytes, seed } = content;
      const [diskName, seedName] = [volumeName(machine, id, 'disk'), volumeName(machine, id, 'seed')];
      for (const name of [diskName, seedName]) {
        const leftover = await find(name, signal);
        if (leftover !== undefined) await remove(leftover, signal);
      }
      const disk = await createSystemDisk(diskName, template, diskBytes, signal);
      const seedVolume = await create(volumeXml(seedName, seed.length, 'raw'), signal);
      await writeRange(session, seedVolume, 0, seed, signal);
      return { disk: disk.key, seed: seedVolume.key };
    },
    /** Returns undefined unless both files exist. */
    async filesOf(machine: string, id: string, signal: AbortSignal): Promise<SystemFiles | undefined> {
      const [disk, [seed]] = await Promise.all([
        find(volumeName(machine, id, 'disk'), signal),
        listSeeds(machine, id, signal),
      ]);
      return disk && seed && { disk: disk.key, seed: seed.volume.key };
    },
    /** Returns the content of the seed at this path, or undefined if it is not one of the system. */
    async readSeed(machine: string, id: string, path: string, signal: AbortSignal): Promise<Buffer | undefined> {
      const seed = (await listSeeds(machine, id, signal)).find(({ volume }) => volume.key === path);
      return seed && download(seed.volume, signal);
    },
    /**
     * Adds another seed to a system and returns its path. Seeds are never overwritten, because a system that boots from an
     * incomplete one loses its settings. So the first one in order is always complete.
     */
    async addSeed(machine: string, id: string, seed: Buffer, signal: AbortSignal): Promise<string> {
      const last = (await listSeeds(machine, id, signal)).at(-1)?.number ?? 0;
      const volume = await create(volumeXml(`${machine}.${id}.${last + 1}.seed`, seed.length, 'raw'), signal);
      await writeRange(session, volume, 0, seed, signal);
      return volume.key;
    },
    /** From the last to the first, which is complete. */
    async removeOtherSeeds(machine: string, id: string, kept: string, signal: AbortSignal): Promise<void> {
      for (const { volume } of (await listSeeds(machine, id, signal)).toReversed())
        if (volume.key !== kept) await remove(volume, signal);
    },
    requireDisk,
    diskSize: async (machine: string, id: string, signal: AbortSignal): Promise<VolumeSize> =>
      sizeOf(await requireDisk(machine, id, signal), signal),
    /** Removes the volumes at these paths. What is in no storage pool stays. */
    async removePaths(paths: readonly string[], signal: AbortSignal): Promise<void> {
      for (const path of paths) {
        const lookup = call(storageVolLookupByPath, { path }, signal);
        const found = await undefinedOnError(errorCode.noStorageVolume, lookup);
        if (found !== undefined) await remove(found.volume, signal);
      }
    },
    /** The pool learns of files that libvirt created itself. It refuses while a volume is being made. */
    async refresh(signal: AbortSignal): Promise<void> {
      const refreshing = call(storagePoolRefresh, { pool: await pool(signal), flags: 0 }, signal);
      await undefinedOnError(errorCode.internalError, refreshing);
    },
    /**
     * Removes all files of the machine; given a system, except its files, those of snapshots, and the disk that a backup is being
     * read from, which may be of a system that has been replaced since.
     */
    async removeAllBut(machine: string, id: string | undefined, signal: AbortSignal): Promise<void> {
      const isKept = (volume: StorageVolume): boolean =>
        volume.name.startsWith(`${machine}.${id}.`) || isSnapshotFile(volume) || isFlat(volume);
      await removeVolumes(machine, (volume) => id !== undefined && isKept(volume), signal);
    },
    async removeSystem(machine: string, id: string, signal: AbortSignal): Promise<void> {
      await removeVolumes(machine, ({ name }) => !name.startsWith(`${machine}.${id}.`), signal);
    },
    /** Removes copies of templates that no disk or snapshot of the machine needs any more. */
    removeUnusedBases: (machine: string, signal: AbortSignal): Promise<void> =>
      removeVolumes(machine, () => true, signal),
    async template(name: string, from: string, signal: AbortSignal): Promise<Template> {
      const copied = await find(`${name}.${templateSuffix}`, signal);
      const volume = copied ?? (await requireVolume('template', name, from, signal));
      const { xml } = await call(storageVolGetXmlDesc, { volume, flags: 0 }, signal);
      const format = findPath(parseXml(xml), 'target', 'format')?.attributes['type'] ?? 'raw';
      const { sizeBytes } = await sizeOf(volume, signal);
      return { path: volume.key, format, sizeBytes, ...(copied && { copied }) };
    },
    /** Returns the path of a volume on the hypervisor. */
    async pathOf(name: string, from: string, signal: AbortSignal): Promise<string> {
      return (await requireVolume('image', name, from, signal)).key;
    },
    async capacityBytes(signal: AbortSignal): Promise<number> {
      return Number((await call(storagePoolGetInfo, { pool: await pool(signal) }, signal)).capacity);
    },
    freeSpace,
    /** Throws unless a copy of the volume fits into what is free now. */
    async requireSpaceForCopy(source: StorageVolume, signal: AbortSignal): Promise<void> {
      const [{ freeBytes }, { allocatedBytes }] = await Promise.all([freeSpace(signal), sizeOf(source, signal)]);
      if (allocatedBytes > freeBytes)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this copy.' });
    },
  };
}
export type Storage = ReturnType<typeof openStorage>;

function volumeXml(name: string, bytes: number, format: string, ...others: ReturnType<typeof element>[]) {
  return element(
    'volume',
    {},
    element('name', {}, name),
    element('capacity', { unit: 'bytes' }, String(bytes)),
    ...(format === 'raw' ? [] : [element('allocation', { unit: 'bytes' }, '0')]),
    element('target', {}, element('format', { type: format })),
    ...others,
  );
}
