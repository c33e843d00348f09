// What a machine has in the node's storage pool: for each of its systems a disk, which begins as its template and keeps only
// what differs, and the seed. The names tell whose they are: MACHINE.SYSTEM.qcow2 and MACHINE.SYSTEM.seed.
import { finished } from 'node:stream/promises';
import { Fault } from '#kernel/fault.ts';
import { errorCode, LibvirtError } from '#wire/libvirt/error.ts';
import {
  storagePoolGetInfo,
  storagePoolListAllVolumes,
  storagePoolLookupByName,
  storagePoolRefresh,
  storageVolCreateXml,
  storageVolDelete,
  storageVolGetInfo,
  storageVolGetXmlDesc,
  storageVolLookupByName,
  storageVolUpload,
  type StoragePool,
  type StorageVolume,
} from '#wire/libvirt/procedures.ts';
import type { SystemFiles } from './domain.ts';
import { isRefusal, type Session } from './session.ts';
import { at, element, parseXml, writeXml } from './xml.ts';

export interface Template {
  readonly path: string;
  readonly format: string;
  readonly sizeBytes: number;
}

export interface VolumeSize {
  readonly sizeBytes: number;
  /** What it takes on the node's disk. */
  readonly takenBytes: number;
}

const suffixes = { disk: 'qcow2', seed: 'seed' } as const;

function volumeName(machine: string, id: string, which: keyof typeof suffixes): string {
  return `${machine}.${id}.${suffixes[which]}`;
}

/** Undefined where the file is none of this machine's disks. */
export function systemOf(machine: string, path: string): string | undefined {
  const [name, id, suffix, ...others] = (path.split('/').at(-1) ?? '').split('.');
  return name === machine && suffix === suffixes.disk && others.length === 0 ? id : undefined;
}

export function openStorage(session: Session, poolName: string) {
  const { call } = session;
  const pool = async (signal: AbortSignal, name = poolName): Promise<StoragePool> =>
    (await call(storagePoolLookupByName, { name }, signal)).pool;
  const find = async (name: string, signal: AbortSignal, from?: string): Promise<StorageVolume | undefined> => {
    try {
      return (await call(storageVolLookupByName, { pool: await pool(signal, from), name }, signal)).volume;
    } catch (error) {
      if (isRefusal(error, errorCode.noStorageVolume)) return undefined;
      throw error;
    }
  };
  const remove = async (volume: StorageVolume, signal: AbortSignal): Promise<void> => {
    try {
      await call(storageVolDelete, { volume, flags: 0 }, signal);
    } catch (error) {
      if (!isRefusal(error, errorCode.noStorageVolume)) throw error;
    }
  };
  const sizeOf = async (volume: StorageVolume, signal: AbortSignal): Promise<VolumeSize> => {
    const { capacity, allocation } = await call(storageVolGetInfo, { volume }, signal);
    return { sizeBytes: Number(capacity), takenBytes: Number(allocation) };
  };
  const create = async (description: ReturnType<typeof element>, signal: AbortSignal): Promise<StorageVolume> =>
    (await call(storageVolCreateXml, { pool: await pool(signal), xml: writeXml(description), flags: 0 }, signal))
      .volume;
  const upload = async (volume: StorageVolume, bytes: Buffer, signal: AbortSignal): Promise<void> => {
    const range = { offset: 0n, length: BigInt(bytes.length) };
    const stream = await session.openStream(storageVolUpload, { volume, ...range, flags: 0 }, signal);
    stream.resume().end(bytes);
    await finished(stream, { signal }).catch((cause: unknown) => {
      stream.destroy();
      const isSilent = signal.aborted || (cause instanceof LibvirtError && cause.kind === 'unreachable');
      throw new Fault(isSilent ? 'node_unreachable' : 'node_error', {
        cause,
        internal: 'the seed could not be stored',
      });
    });
  };
  const ofMachine = async (machine: string, signal: AbortSignal): Promise<readonly StorageVolume[]> => {
    const { volumes } = await call(
      storagePoolListAllVolumes,
      { pool: await pool(signal), needResults: 1, flags: 0 },
      signal,
    );
    return volumes.filter(({ name }) => name.startsWith(`${machine}.`));
  };

  return {
    /** Both files of a system, from the beginning, whatever of it was there. */
    async build(
      machine: string,
      id: string,
      from: { readonly template: Template; readonly diskBytes: number; readonly seed: Buffer },
      signal: AbortSignal,
    ): Promise<SystemFiles> {
      const { template, diskBytes, seed } = from;
      const [diskName, seedName] = [volumeName(machine, id, 'disk'), volumeName(machine, id, 'seed')];
      for (const name of [diskName, seedName]) {
        const rest = await find(name, signal);
        if (rest !== undefined) await remove(rest, signal);
      }
      const backing = element(
        'backingStore',
        {},
        element('path', {}, template.path),
        element('format', { type: template.format }),
      );
      const disk = await create(volume(diskName, diskBytes, 'qcow2', backing), signal);
      const seedVolume = await create(volume(seedName, seed.length, 'raw'), signal);
      await upload(seedVolume, seed, signal);
      return { disk: disk.key, seed: seedVolume.key };
    },
    /** Undefined unless both of its files are there. */
    async filesOf(machine: string, id: string, signal: AbortSignal): Promise<SystemFiles | undefined> {
      const [disk, seed] = await Promise.all([
        find(volumeName(machine, id, 'disk'), signal),
        find(volumeName(machine, id, 'seed'), signal),
      ]);
      return disk && seed && { disk: disk.key, seed: seed.key };
    },
    async diskSize(machine: string, id: string, signal: AbortSignal): Promise<VolumeSize> {
      const disk = await find(volumeName(machine, id, 'disk'), signal);
      if (disk === undefined) throw new Fault('node_error', { internal: `${machine} has no disk in the pool` });
      return sizeOf(disk, signal);
    },
    /** All that the machine has, except what belongs to this system. */
    async removeAllBut(machine: string, id: string | undefined, signal: AbortSignal): Promise<void> {
      for (const volume of await ofMachine(machine, signal))
        if (id === undefined || !volume.name.startsWith(`${machine}.${id}.`)) await remove(volume, signal);
    },
    async removeSystem(machine: string, id: string, signal: AbortSignal): Promise<void> {
      for (const volume of await ofMachine(machine, signal))
        if (volume.name.startsWith(`${machine}.${id}.`)) await remove(volume, signal);
    },
    async template(name: string, from: string, signal: AbortSignal): Promise<Template> {
      const found = await find(name, signal, from);
      if (found === undefined) throw new Fault('node_error', { internal: `the node has no template ${name}` });
      const { xml } = await call(storageVolGetXmlDesc, { volume: found, flags: 0 }, signal);
      const format = at(parseXml(xml), 'target', 'format')?.attributes['type'] ?? 'raw';
      return { path: found.key, format, sizeBytes: (await sizeOf(found, signal)).sizeBytes };
    },
    /** Where a volume of a pool lies on the node. */
    async pathOf(name: string, from: string, signal: AbortSignal): Promise<string> {
      const found = await find(name, signal, from);
      if (found === undefined) throw new Fault('node_error', { internal: `the node has no image ${name}` });
      return found.key;
    },
    /** What is free now, and what of it the disks that are there may still come to take. */
    async room(signal: AbortSignal): Promise<{ readonly freeBytes: number; readonly promisedBytes: number }> {
      const own = await pool(signal);
      // Else the daemon tells what was so when it last looked.
      await call(storagePoolRefresh, { pool: own, flags: 0 }, signal);
      const { available } = await call(storagePoolGetInfo, { pool: own }, signal);
      const { volumes } = await call(storagePoolListAllVolumes, { pool: own, needResults: 1, flags: 0 }, signal);
      const sizes = await Promise.all(volumes.map((volume) => sizeOf(volume, signal)));
      const promised = sizes.map(({ sizeBytes, takenBytes }) => Math.max(0, sizeBytes - takenBytes));
      return { freeBytes: Number(available), promisedBytes: promised.reduce((sum, bytes) => sum + bytes, 0) };
    },
  };
}
export type Storage = ReturnType<typeof openStorage>;

function volume(name: string, bytes: number, format: string, ...others: ReturnType<typeof element>[]) {
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
