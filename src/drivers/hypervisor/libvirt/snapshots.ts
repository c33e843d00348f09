// Snapshots of machines as copies of their disk in the storage pool: an overlay on the same template, with what the machine has
// written. The chain of the machine's own disk never changes, so a snapshot concerns neither reinstalls nor migrations nor
// backups, and any one can be removed. See running-copy.ts for a running machine.
import { ApiError, requireFound } from '#lib/api-error.ts';
import type { StorageVolume } from '#protocols/libvirt/procedures.ts';
import { backgroundWork } from '../background-work.ts';
import type { SnapshotInfo, Snapshots } from '../snapshots.ts';
import { diskFile, findDisk, systemDiskTarget } from './domain.ts';
import { copyRunningDisk, endRunningCopy } from './running-copy.ts';
import { isOn, type Session } from './session.ts';
import { snapshotSuffixes, systemIdFromPath, templateSuffix, volumeName, type Storage } from './storage.ts';

const { disk: diskSuffix, seed: seedSuffix, ...markers } = snapshotSuffixes;

export function createSnapshots(session: Session, storage: Storage): Snapshots {
  const copies = backgroundWork();
  const nameOf = (name: string, id: string, suffix: string): string => `${name}.${id}.${suffix}`;

  /** A snapshot has a marker once it is complete; which one says whether it is consistent. */
  const find = async (name: string, id: string, signal: AbortSignal): Promise<SnapshotInfo | undefined> => {
    for (const marker of Object.values(markers)) {
      if ((await storage.find(nameOf(name, id, marker), signal)) === undefined) continue;
      const disk = await storage.find(nameOf(name, id, diskSuffix), signal);
      const size = disk && (await storage.sizeOf(disk, signal));
      return { id, isConsistent: marker === markers.consistent, sizeBytes: size?.allocatedBytes };
    }
    return undefined;
  };
  const requireDisk = async (name: string, id: string, signal: AbortSignal): Promise<StorageVolume> => {
    requireFound(await find(name, id, signal));
    return requireFound(await storage.find(nameOf(name, id, diskSuffix), signal));
  };
  const removeFiles = async (name: string, id: string, signal: AbortSignal): Promise<void> => {
    // The marker first: what is incomplete must not look complete.
    for (const suffix of [...Object.values(markers), seedSuffix, diskSuffix]) {
      const volume = await storage.find(nameOf(name, id, suffix), signal);
      if (volume !== undefined) await storage.remove(volume, signal);
    }
  };

  const create = async (name: string, id: string, signal: AbortSignal): Promise<SnapshotInfo> => {
    const dom = await session.domain(name, signal);
    const description = await session.describe(dom, 'persistent', signal);
    const system = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
    const disk = system && (await storage.find(volumeName(name, system, 'disk'), signal));
    const seed = diskFile(findDisk(description, 'seed'));
    const seedContent = system && seed && (await storage.readSeed(name, system, seed, signal));
    if (!disk || !seedContent)
      throw new ApiError('capability_missing', { message: 'Hostyard did not build the disk of this machine.' });
    await removeFiles(name, id, signal);
    await storage.requireSpaceForCopy(disk, signal);
    const copyName = nameOf(name, id, diskSuffix);
    let isConsistent = true;
    if (isOn(dom)) {
      const copy = await storage.createLike(disk, copyName, 'empty', signal);
      isConsistent = await copyRunningDisk(session, dom, systemDiskTarget, copy, signal);
    } else {
      await storage.createLike(disk, copyName, 'copy', signal);
    }
    await storage.addFile(nameOf(name, id, seedSuffix), seedContent, signal);
    await storage.addFile(nameOf(name, id, isConsistent ? markers.consistent : markers.running), Buffer.of(1), signal);
    return requireFound(await find(name, id, signal));
  };

  const restore = async (name: string, id: string, system: string, signal: AbortSignal): Promise<void> => {
    const dom = await session.domain(name, signal);
    const description = await session.describe(dom, 'persistent', signal);
    const current = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
    if (current === system || current === undefined) return;
    const source = await requireDisk(name, id, signal);
    const seed = requireFound(await storage.find(nameOf(name, id, seedSuffix), signal));
    await storage.removeSystem(name, system, signal);
    await storage.requireSpaceForCopy(source, signal);
    const disk = await storage.createLike(source, volumeName(name, system, 'disk'), 'copy', signal);
    // The machine may have grown since.
    await storage.grow(disk, (await storage.diskSize(name, current, signal)).sizeBytes, signal);
    await storage.addFile(volumeName(name, system, 'seed'), await storage.read(seed, signal), signal);
  };

  return {
    async list(name, signal) {
      const volumes = await storage.listVolumes(name, signal);
      const ids = volumes.flatMap(({ name: volume }) => {
        const [, id, suffix] = volume.split('.');
        return Object.values<string | undefined>(markers).includes(suffix) && id !== undefined ? [id] : [];
      });
      const snapshots = await Promise.all(ids.map((id) => find(name, id, signal)));
      return snapshots.filter((snapshot) => snapshot !== undefined);
    },
    create: async (name, id, signal) =>
      (await find(name, id, signal)) ?? copies.run(`${name} ${id}`, (limit) => create(name, id, limit)),
    restore: (name, id, system, _signal) =>
      copies.run(`${name} ${system}`, (limit) => restore(name, id, system, limit)),
    async remove(name, id, signal) {
      await copies.cancel(`${name} ${id}`);
      const dom = await session.find(name, signal);
      const isIncomplete = (await find(name, id, signal)) === undefined;
      if (dom !== undefined && isOn(dom) && isIncomplete) await endRunningCopy(session, dom, systemDiskTarget, signal);
      await removeFiles(name, id, signal);
      await storage.removeUnusedBases(name, signal);
    },
    async createTemplate(name, id, template, signal) {
      const volume = `${template}.${templateSuffix}`;
      await copies.run(volume, async (limit) => {
        const source = await requireDisk(name, id, limit);
        const leftover = await storage.find(volume, limit);
        if (leftover !== undefined) await storage.remove(leftover, limit);
        await storage.requireSpaceForCopy(source, limit);
        await storage.createLike(source, volume, 'independent copy', limit);
      });
      const created = requireFound(await storage.find(volume, signal));
      return (await storage.sizeOf(created, signal)).allocatedBytes;
    },
    async removeTemplate(template, signal) {
      const volume = `${template}.${templateSuffix}`;
      await copies.cancel(volume);
      const existing = await storage.find(volume, signal);
      if (existing !== undefined) await storage.remove(existing, signal);
    },
  };
}
