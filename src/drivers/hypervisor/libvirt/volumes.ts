// Volumes of customers: disks in the storage pool that belong to no machine. A machine has one as a virtio disk, which its
// description names by the volume's id, as the serial number that the guest sees.
import { ApiError, conflict } from '#lib/api-error.ts';
import {
  connectListAllDomains,
  domainAttachDeviceFlags,
  domainBlockResize,
  domainDetachDeviceFlags,
  storageVolResize,
  type Domain,
  type StorageVolume,
} from '#protocols/libvirt/procedures.ts';
import { bytesPerGb } from '../driver.ts';
import type { VolumeInfo, Volumes } from '../volumes.ts';
import { isOn, type Session } from './session.ts';
import type { DiskSource, Storage } from './storage.ts';
import { childrenNamed, element, findPath, writeXml, type Element } from './xml.ts';

type Config = 'running' | 'persistent';

const suffix = '.volume';
const configFlags: Record<Config, number> = { running: 1, persistent: 2 };
/** The size is in bytes. */
const resizeFlags = 1;
/** `vda` is the disk of the system. */
const targetNames = Array.from('bcdefghijklmnopqrstuvwxyz', (letter) => `vd${letter}`);

export const volumeFile = (id: string): string => `${id}${suffix}`;

/** Returns true if the path is a volume, which stays when its machine is removed. */
export function isVolumePath(path: string): boolean {
  return /\/vol-\d{1,16}\.volume$/.test(path);
}

export function createVolumes(session: Session, storage: Storage): Volumes {
  const requireVolume = async (id: string, signal: AbortSignal): Promise<StorageVolume> => {
    const volume = await storage.find(volumeFile(id), signal);
    if (volume === undefined) throw new ApiError('not_found', { internal: `the pool has no volume ${id}` });
    return volume;
  };
  const requireRoom = async (bytes: number, signal: AbortSignal): Promise<void> => {
    const { freeBytes, growthBytes } = await storage.freeSpace(signal);
    if (freeBytes - growthBytes < bytes)
      throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this volume.' });
  };
  const descriptions = async (dom: Domain, signal: AbortSignal): Promise<Partial<Record<Config, Element>>> => ({
    persistent: await session.describe(dom, 'persistent', signal),
    ...(isOn(dom) && { running: await session.describe(dom, 'running', signal) }),
  });
  const isGone = async (dom: Domain, id: string, signal: AbortSignal): Promise<boolean> =>
    findVolumeDisk(await session.describe(dom, 'running', signal), id) === undefined;
  /** The guest has to release the disk: libvirt asks it, waits for a few seconds, and reports success either way. */
  const unplug = async (dom: Domain, disk: Element, id: string, signal: AbortSignal): Promise<void> => {
    const args = { dom, xml: writeXml(disk), flags: configFlags.running };
    try {
      await session.call(domainDetachDeviceFlags, args, signal);
    } catch (error) {
      // Also if an earlier request is still pending in the guest.
      if (!(error instanceof ApiError) || error.code !== 'node_error') throw error;
      if (!(await isGone(dom, id, signal))) throw keptByGuest(error.internal);
    }
    if (!(await isGone(dom, id, signal))) throw keptByGuest(undefined);
  };
  const ownerOf = async (id: string, signal: AbortSignal): Promise<string | undefined> => {
    const { domains } = await session.call(connectListAllDomains, { needResults: 1, flags: 0 }, signal);
    for (const dom of domains)
      for (const description of Object.values(await descriptions(dom, signal)))
        if (findVolumeDisk(description, id) !== undefined) return dom.name;
    return undefined;
  };

  return {
    async list(machine, signal) {
      const description = await session.describe(await session.domain(machine, signal), 'persistent', signal);
      const ids = volumeDisks(description).map(({ id }) => id);
      return Promise.all(
        ids.map(async (id): Promise<VolumeInfo> => {
          const { sizeBytes } = await storage.sizeOf(await requireVolume(id, signal), signal);
          return { id, sizeGb: sizeBytes / bytesPerGb };
        }),
      );
    },
    async create({ id, sizeGb }, _machine, signal) {
      if ((await storage.find(volumeFile(id), signal)) !== undefined) return;
      await requireRoom(sizeGb * bytesPerGb, signal);
      await storage.createDisk(volumeFile(id), sizeGb * bytesPerGb, signal);
    },
    async attach(id, machine, signal) {
      const dom = await session.domain(machine, signal);
      const source = await storage.sourceOf(await requireVolume(id, signal), signal);
      const known = await descriptions(dom, signal);
      const target = targetFor(id, Object.values(known));
      // The persistent description first: what it has is plugged in again after a crash, by the next call or start.
      for (const config of ['persistent', 'running'] as const) {
        const description = known[config];
        if (description === undefined || findVolumeDisk(description, id) !== undefined) continue;
        const xml = writeXml(diskElement(id, target, source));
        await session.call(domainAttachDeviceFlags, { dom, xml, flags: configFlags[config] }, signal);
      }
    },
    async detach(id, machine, signal) {
      const dom = await session.find(machine, signal);
      if (dom === undefined) return;
      const { running, persistent } = await descriptions(dom, signal);
      const plugged = running && findVolumeDisk(running, id);
      if (plugged !== undefined) await unplug(dom, plugged, id, signal);
      const disk = persistent && findVolumeDisk(persistent, id);
      if (disk === undefined) return;
      const args = { dom, xml: writeXml(disk), flags: configFlags.persistent };
      await session.call(domainDetachDeviceFlags, args, signal);
    },
    async grow({ id, sizeGb }, machine, signal) {
      const volume = await requireVolume(id, signal);
      const { sizeBytes } = await storage.sizeOf(volume, signal);
      const size = sizeGb * bytesPerGb;
      if (sizeBytes >= size) return;
      await requireRoom(size - sizeBytes, signal);
      const dom = machine === undefined ? undefined : await session.domain(machine, signal);
      const disk = dom && isOn(dom) && findVolumeDisk(await session.describe(dom, 'running', signal), id);
      if (!dom || !disk)
        return void (await session.call(storageVolResize, { volume, capacity: BigInt(size), flags: 0 }, signal));
      const target = findPath(disk, 'target')?.attributes['dev'] ?? '';
      await session.call(domainBlockResize, { dom, disk: target, size: BigInt(size), flags: resizeFlags }, signal);
    },
    async remove(id, signal) {
      const files = await storage.listVolumes(id, signal);
      if (files.length === 0) return;
      const owner = await ownerOf(id, signal);
      if (owner !== undefined) throw conflict('The volume is attached to a machine. Detach it first.');
      // Including copies that an abandoned backup left behind.
      for (const file of files) await storage.remove(file, signal);
    },
  };
}

/** Its own snapshots apply to the system of a machine, so volumes are left out of them. */
function diskElement(id: string, target: string, { type, format, source }: DiskSource): Element {
  return element(
    'disk',
    { type, device: 'disk', snapshot: 'no' },
    element('driver', { name: 'qemu', type: format, discard: 'unmap' }),
    source,
    element('target', { dev: target, bus: 'virtio' }),
    element('serial', {}, id),
  );
}

function volumeDisks(description: Element): readonly { readonly id: string; readonly disk: Element }[] {
  return childrenNamed(findPath(description, 'devices'), 'disk').flatMap((disk) => {
    const { file, dev } = findPath(disk, 'source')?.attributes ?? {};
    const path = file ?? dev ?? '';
    return isVolumePath(path) ? [{ id: path.split('/').at(-1)!.slice(0, -suffix.length), disk }] : [];
  });
}

export function findVolumeDisk(description: Element, id: string): Element | undefined {
  return volumeDisks(description).find((candidate) => candidate.id === id)?.disk;
}

/** Returns the target that the machine has for the volume, or one that is free in each description. */
function targetFor(id: string, known: readonly Element[]): string {
  const targetOf = (disk: Element): string => findPath(disk, 'target')?.attributes['dev'] ?? '';
  const current = known.map((description) => findVolumeDisk(description, id)).find((disk) => disk !== undefined);
  if (current !== undefined) return targetOf(current);
  const disks = known.flatMap((description) => childrenNamed(findPath(description, 'devices'), 'disk'));
  const used = new Set(disks.map(targetOf));
  const free = targetNames.find((name) => !used.has(name));
  if (free === undefined) throw conflict('The machine has no room for another volume. Detach one first.');
  return free;
}

function keptByGuest(internal: string | undefined): ApiError {
  const message =
    'The machine has not released the volume. Unmount it inside the machine and try again, or power the machine off.';
  return new ApiError('state_conflict', { message, ...(internal !== undefined && { internal }) });
}
