// Backups of machines. A copy is a snapshot, flattened to a raw disk when it is read: so it does not depend on the template, and
// the same block is at the same place in every backup, which lets the repository recognize what it has already. The content is
// a tar archive of seed and disk, because a restored disk with another seed would be configured as a new machine.
import { ApiError, requireFound } from '#lib/api-error.ts';
import type { StorageVolume } from '#protocols/libvirt/procedures.ts';
import type { MachineBackups } from '../backups.ts';
import type { Volumes } from '../volumes.ts';
import type { Snapshots } from '../snapshots.ts';
import { readTar, writeTar, type TarEntry } from '../tar-stream.ts';
import { diskFile, findDisk } from './domain.ts';
import type { Session } from './session.ts';
import { flatSuffix, snapshotSuffixes, systemIdFromPath, templateSuffix, volumeName, type Storage } from './storage.ts';
import { createVolumeBackups, requireSpace } from './volume-backups.ts';
import type { VolumeContent } from './volume-content.ts';

const entries = { seed: 'seed.iso', disk: 'disk.raw' } as const;
const maxSeedBytes = 16 * 2 ** 20;

export function createBackups(
  session: Session,
  storage: Storage,
  snapshots: Snapshots,
  volumes: Volumes,
  content: VolumeContent,
): MachineBackups {
  const flatName = (name: string, id: string): string => `${name}.${id}.${flatSuffix}`;
  const removeFlat = async (name: string, id: string, signal: AbortSignal): Promise<void> => {
    const leftover = await storage.find(flatName(name, id), signal);
    if (leftover !== undefined) await storage.remove(leftover, signal);
  };
  const currentSystem = async (name: string, signal: AbortSignal): Promise<string | undefined> => {
    const description = await session.describe(await session.domain(name, signal), 'persistent', signal);
    return systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
  };
  async function* entriesOf(name: string, id: string, signal: AbortSignal): AsyncGenerator<TarEntry> {
    const find = async (suffix: string): Promise<StorageVolume> =>
      requireFound(await storage.find(`${name}.${id}.${suffix}`, signal));
    const disk = await find(snapshotSuffixes.disk);
    const { sizeBytes } = await storage.sizeOf(disk, signal);
    const seed = await storage.read(await find(snapshotSuffixes.seed), signal);
    yield { name: entries.seed, bytes: seed.length, content: chunksOf(seed) };
    await removeFlat(name, id, signal);
    await storage.requireSpaceForCopy(disk, signal);
    await content.copy(disk, flatName(name, id), 'raw', sizeBytes, signal);
    const flat = await find(flatSuffix);
    yield { name: entries.disk, bytes: sizeBytes, content: content.read(flat, sizeBytes, signal) };
    await storage.remove(flat, signal);
  }

  return {
    async copy(name, id, signal) {
      const { isConsistent } = await snapshots.create(name, id, signal);
      return { isConsistent };
    },
    read: (name, id, signal) => writeTar(entriesOf(name, id, signal)),
    async discard(name, id, signal) {
      await removeFlat(name, id, signal);
      await snapshots.remove(name, id, signal);
    },
    async restore(name, system, archive, signal) {
      const current = await currentSystem(name, signal);
      if (current === undefined || current === system)
        throw new ApiError('node_error', { internal: `${name} boots the system ${system}` });
      await storage.removeSystem(name, system, signal);
      let seed: Buffer | undefined;
      let disk: StorageVolume | undefined;
      for await (const entry of readTar(archive)) {
        if (entry.name === entries.seed) seed = await readSmall(entry);
        if (entry.name !== entries.disk) continue;
        const shape = { format: 'qcow2', bytes: entry.bytes } as const;
        disk = await content.create(volumeName(name, system, 'disk'), shape, entry.content, signal);
      }
      if (seed === undefined || disk === undefined) throw noDisk();
      // The machine may have grown since.
      await storage.grow(disk, (await storage.diskSize(name, current, signal)).sizeBytes, signal);
      // Last: a system without a seed is incomplete.
      await storage.addFile(volumeName(name, system, 'seed'), seed, signal);
    },
    // Without its seed: a new machine has its own.
    async createTemplate(template, archive, signal) {
      await snapshots.removeTemplate(template, signal);
      let isFound = false;
      for await (const entry of readTar(archive)) {
        if (entry.name !== entries.disk) continue;
        isFound = true;
        await requireSpace(storage, entry.bytes, signal);
        const shape = { format: 'qcow2', bytes: entry.bytes } as const;
        await content.create(`${template}.${templateSuffix}`, shape, entry.content, signal);
      }
      if (!isFound) throw noDisk();
    },
    ...createVolumeBackups(session, storage, volumes, content, diskOf),
  };
}

async function* diskOf(archive: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFound = false;
  for await (const entry of readTar(archive)) {
    if (entry.name !== entries.disk) continue;
    isFound = true;
    yield* entry.content;
  }
  if (!isFound) throw noDisk();
}

function noDisk(): ApiError {
  return new ApiError('backup_error', { internal: 'the archive has no disk or no seed' });
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function readSmall({ bytes, content }: TarEntry): Promise<Buffer> {
  if (bytes > maxSeedBytes) throw new ApiError('backup_error', { internal: 'the seed is too large' });
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
