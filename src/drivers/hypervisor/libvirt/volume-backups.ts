// Backups of volumes. A copy is a file in the pool, as for a snapshot of a machine; what is read is the raw disk.
import { ApiError, requireFound } from '#lib/api-error.ts';
import type { StorageVolume } from '#protocols/libvirt/procedures.ts';
import { backgroundWork } from '../background-work.ts';
import type { CopyInfo, MachineBackups } from '../backups.ts';
import { bytesPerGb } from '../driver.ts';
import type { Volumes } from '../volumes.ts';
import { copyRunningDisk, endRunningCopy } from './running-copy.ts';
import { isOn, type Session } from './session.ts';
import { flatSuffix, snapshotSuffixes, type Storage } from './storage.ts';
import type { VolumeContent } from './volume-content.ts';
import { findVolumeDisk, volumeFile } from './volumes.ts';
import { findPath } from './xml.ts';

const { disk: diskSuffix, consistent, running } = snapshotSuffixes;

export function createVolumeBackups(
  session: Session,
  storage: Storage,
  volumes: Volumes,
  content: VolumeContent,
  /** Selects the disk in the content of a system. */
  diskOf: (archive: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): Pick<MachineBackups, 'copyVolume' | 'readVolume' | 'discardVolume' | 'createVolume'> {
  const copies = backgroundWork();
  const nameOf = (volume: string, id: string, suffix: string): string => `${volume}.${id}.${suffix}`;
  const removeFile = async (name: string, signal: AbortSignal): Promise<void> => {
    const leftover = await storage.find(name, signal);
    if (leftover !== undefined) await storage.remove(leftover, signal);
  };
  /** The marker of a complete copy says whether it is consistent. */
  const find = async (volume: string, id: string, signal: AbortSignal): Promise<CopyInfo | undefined> => {
    for (const marker of [consistent, running])
      if ((await storage.find(nameOf(volume, id, marker), signal)) !== undefined)
        return { isConsistent: marker === consistent };
    return undefined;
  };
  const removeCopy = async (volume: string, id: string, signal: AbortSignal): Promise<void> => {
    for (const suffix of [consistent, running, flatSuffix, diskSuffix])
      await removeFile(nameOf(volume, id, suffix), signal);
  };
  /** Returns the target of the disk, such as vdb, if the machine is running and has the volume. */
  const targetOf = async (volume: string, machine: string, signal: AbortSignal) => {
    const dom = await session.find(machine, signal);
    if (dom === undefined || !isOn(dom)) return undefined;
    const disk = findVolumeDisk(await session.describe(dom, 'running', signal), volume);
    return disk && { dom, path: findPath(disk, 'target')?.attributes['dev'] ?? '' };
  };
  const copy = async (volume: string, machine: string, id: string, signal: AbortSignal): Promise<CopyInfo> => {
    const source = requireFound(await storage.find(volumeFile(volume), signal));
    await removeCopy(volume, id, signal);
    await requireSpace(storage, (await storage.sizeOf(source, signal)).allocatedBytes, signal);
    const target = await targetOf(volume, machine, signal);
    const name = nameOf(volume, id, diskSuffix);
    const file = await storage.createLike(source, name, target === undefined ? 'copy' : 'empty', signal);
    const isConsistent =
      target === undefined || (await copyRunningDisk(session, target.dom, target.path, file, signal));
    await storage.addFile(nameOf(volume, id, isConsistent ? consistent : running), Buffer.of(1), signal);
    return { isConsistent };
  };

  return {
    copyVolume: async (volume, machine, id, signal) =>
      (await find(volume, id, signal)) ?? copies.run(`${volume} ${id}`, (limit) => copy(volume, machine, id, limit)),
    async *readVolume(volume, id, signal) {
      requireFound(await find(volume, id, signal));
      const disk = requireFound(await storage.find(nameOf(volume, id, diskSuffix), signal));
      const { sizeBytes } = await storage.sizeOf(disk, signal);
      const flatName = nameOf(volume, id, flatSuffix);
      await removeFile(flatName, signal);
      await storage.requireSpaceForCopy(disk, signal);
      await content.copy(disk, flatName, 'raw', sizeBytes, signal);
      const flat: StorageVolume = requireFound(await storage.find(flatName, signal));
      yield* content.read(flat, sizeBytes, signal);
      await storage.remove(flat, signal);
    },
    async discardVolume(volume, machine, id, signal) {
      await copies.cancel(`${volume} ${id}`);
      const target = (await find(volume, id, signal)) ? undefined : await targetOf(volume, machine, signal);
      if (target !== undefined) await endRunningCopy(session, target.dom, target.path, signal);
      await removeCopy(volume, id, signal);
    },
    async createVolume({ id, sizeGb }, _machine, of, archive, signal) {
      const bytes = sizeGb * bytesPerGb;
      await volumes.remove(id, signal);
      await requireSpace(storage, bytes, signal);
      const shape = { format: await storage.volumeFormat(signal), bytes };
      await content.create(volumeFile(id), shape, of === 'system' ? diskOf(archive) : archive, signal);
    },
  };
}

/** Throws unless what machines may still write leaves this much. */
export async function requireSpace(storage: Storage, bytes: number, signal: AbortSignal): Promise<void> {
  const { freeBytes, growthBytes } = await storage.freeSpace(signal);
  if (freeBytes - growthBytes < bytes)
    throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this copy.' });
}
