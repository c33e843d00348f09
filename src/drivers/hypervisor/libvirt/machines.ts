// Machines and their systems. A system is two files in the storage pool. The domain description names the two that the
// machine boots and is always replaced as a whole, so a machine is never without a system.
import { ApiError, conflict } from '#lib/api-error.ts';
import {
  connectGetAllDomainStats,
  connectGetLibVersion,
  connectGetVersion,
  connectListAllDomains,
  connectListAllNwfilterBindings,
  domainDestroyFlags,
  domainUndefineFlags,
  nodeGetInfo,
  nwfilterDefineXml,
  nwfilterUndefine,
  type Domain,
  type ParameterValue,
} from '#protocols/libvirt/procedures.ts';
import {
  bytesPerGb,
  bytesPerMb,
  plainPlatform,
  type MachineInfo,
  type Machines,
  type MachineStatistics,
  type MachineUsage,
  type Capacity,
  type HostTotals,
  type SystemBuild,
  type Systems,
} from '../driver.ts';
import {
  describeDomain,
  diskPaths,
  findCard,
  findDisk,
  diskFile,
  setDiskFile,
  setSize,
  setSystemFiles,
  type SystemFiles,
} from './domain.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import { addFilter, describeFilter, filterUuid, needsFilter } from './filter.ts';
import {
  describePlatform,
  findPlatformProblems,
  hasPlatforms,
  keepPlatformOnly,
  platformError,
  recordPlatforms,
  usePlatform,
} from './platform.ts';
import { changeSeed, seedImage } from './seed.ts';
import { isOn, undefinedOnError, type Session } from './session.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { systemIdFromPath, type Storage, type Template, type VolumeSize } from './storage.ts';
import { isVolumePath } from './volumes.ts';
import { findPath, writeXml, type Element } from './xml.ts';

const bytesPerKb = 2 ** 10;
/** Also removes saved memory, snapshots, firmware variables and checkpoints. */
const undefineFlags = 1 | 2 | 4 | 16;
const statistics = { cpu: 2, memory: 4, network: 16, disk: 32 } as const;
const usageStatistics = statistics.cpu | statistics.memory | statistics.network | statistics.disk;
const noWait = 2 ** 29;

export function createMachines(session: Session, storage: Storage, settings: LibvirtSettings) {
  const templates = settings.templates ?? settings.pool;

  const describePersistent = async (name: string, signal: AbortSignal): Promise<Element> =>
    session.describe(await session.domain(name, signal), 'persistent', signal);
  const currentSystemId = (name: string, description: Element): string => {
    const id = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
    if (id === undefined)
      throw new ApiError('capability_missing', {
        message: 'This machine was created elsewhere, and its disk cannot be replaced, resized or copied.',
        internal: `${name} boots a disk that Hostyard did not make`,
      });
    return id;
  };
  const readStatistics = async (doms: readonly Domain[], stats: number, signal: AbortSignal) => {
    const { records } = await session.call(connectGetAllDomainStats, { doms, stats, flags: noWait }, signal);
    return records.map(({ dom, params }) => ({
      dom,
      numbers: new Map(params.map(({ field, value }) => [field, value.value])),
    }));
  };

  const freeCapacity = async (signal: AbortSignal): Promise<Capacity> => {
    const [{ memoryKib }, allStats, { freeBytes, growthBytes }] = await Promise.all([
      session.call(nodeGetInfo, undefined, signal),
      readStatistics([], statistics.memory, signal),
      storage.freeSpace(signal),
    ]);
    // Counts machines that are off too: they can be powered on at any time.
    const committed = allStats.reduce((sum, { numbers }) => sum + (byteField(numbers, 'balloon.maximum') ?? 0), 0);
    const reserved = (settings.reservedMemoryMb ?? defaults.reservedMemoryMb) * bytesPerMb;
    return {
      memoryMb: Math.max(0, Math.floor((Number(memoryKib) * bytesPerKb - committed - reserved) / bytesPerMb)),
      diskGb: Math.max(0, Math.floor((freeBytes - growthBytes) / bytesPerGb)),
    };
  };

  const hostTotals = async (signal: AbortSignal): Promise<HostTotals> => {
    const [{ memoryKib, cpus }, emulator, { version }, capacityBytes] = await Promise.all([
      session.call(nodeGetInfo, undefined, signal),
      // Unknown on a host of another architecture than its machines.
      undefinedOnError(errorCode.internalError, session.call(connectGetVersion, undefined, signal)),
      session.call(connectGetLibVersion, undefined, signal),
      storage.capacityBytes(signal),
    ]);
    return {
      version: emulator === undefined ? `libvirt ${versionText(version)}` : `QEMU ${versionText(emulator.version)}`,
      cpus,
      memoryMb: Math.floor((Number(memoryKib) * bytesPerKb) / bytesPerMb),
      diskGb: Math.floor(capacityBytes / bytesPerGb),
    };
  };

  const build = async (
    name: string,
    system: SystemBuild,
    target: { readonly template: Template; readonly diskBytes: number; readonly mac: string },
    signal: AbortSignal,
  ): Promise<SystemFiles> => {
    const { template } = target;
    if (template.sizeBytes > target.diskBytes)
      throw new ApiError('nothing_free', { message: 'The template does not fit on the disk of this machine.' });
    const seed = seedImage(system, target.mac);
    try {
      return await storage.build(name, system.id, { template, diskBytes: target.diskBytes, seed }, signal);
    } catch (error) {
      await storage.removeSystem(name, system.id, signal).catch(() => undefined);
      throw error;
    }
  };

  const checkPlatform = async (
    { platform = plainPlatform }: SystemBuild,
    machine: Element | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    const problems = await findPlatformProblems(session, settings.accelerator, platform, machine, signal);
    if (problems.length > 0) throw platformError(problems);
  };

  const defineFilter = async (name: string, mac: string, networks: readonly string[], signal: AbortSignal) =>
    session.call(nwfilterDefineXml, { xml: writeXml(describeFilter(name, mac, networks)) }, signal);
  const removeFilter = (name: string, signal: AbortSignal): Promise<undefined> => {
    const filter = { name, uuid: filterUuid(name) };
    const removing = undefinedOnError(errorCode.noNwfilter, session.call(nwfilterUndefine, { filter }, signal));
    // Without the driver for filters, there are none.
    return undefinedOnError(errorCode.noSupport, removing);
  };

  const machines: Machines = {
    async list(signal) {
      const { domains } = await session.call(connectListAllDomains, { needResults: 1, flags: 0 }, signal);
      const nameOf = await session.machineNames();
      if (settings.bridge === undefined) return domains.map((dom) => machineInfo(dom, nameOf(dom)));
      const listing = session.call(connectListAllNwfilterBindings, { needResults: 1, flags: 0 }, signal);
      const { bindings = [] } = (await undefinedOnError(errorCode.noSupport, listing)) ?? {};
      const inForce = new Set(bindings.map(({ filter }) => filter));
      return domains.map((dom) => ({
        ...machineInfo(dom, nameOf(dom)),
        ...(isOn(dom) && { isFiltered: inForce.has(nameOf(dom)) }),
      }));
    },
    async find(name, signal) {
      const dom = await session.find(name, signal);
      return dom && machineInfo(dom, name);
    },
    async create(name, shape, first, signal) {
      if ((await session.find(name, signal)) !== undefined) return;
      const capacity = await freeCapacity(signal);
      if (capacity.memoryMb < shape.memoryMb || capacity.diskGb < shape.diskGb)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no capacity for this machine.' });
      const template = await storage.template(first.template, templates, signal);
      const target = { template, diskBytes: shape.diskGb * bytesPerGb, mac: shape.mac };
      await checkPlatform(first, undefined, signal);
      const files = await build(name, first, target, signal);
      if (settings.bridge !== undefined) await defineFilter(name, shape.mac, shape.networks, signal);
      const description = describeDomain(name, shape, files, settings, first.platform);
      describePlatform(description, first.id, first.platform ?? plainPlatform, files.disk);
      await session.define(description, signal);
    },
    async setNetworks(name, networks, signal) {
      const dom = await session.domain(name, signal);
      const card = findCard(await session.describe(dom, 'persistent', signal));
      if (!needsFilter(card)) return;
      const mac = findPath(card, 'mac')?.attributes['address'] ?? '';
      await defineFilter(name, mac, networks, signal);
      const edit = (description: Element): Element | undefined => {
        const current = findCard(description);
        return current !== undefined && addFilter(current, name) ? current : undefined;
      };
      await session.updateDevice(dom, edit, signal);
    },
    resizesLive: false,
    async resize(name, size, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom)) throw conflict('The machine is on. Power it off before changing its size.');
      const description = await session.describe(dom, 'persistent', signal);
      const disk = await storage.requireDisk(name, currentSystemId(name, description), signal);
      const { sizeBytes } = await storage.sizeOf(disk, signal);
      const diskBytes = size.diskGb * bytesPerGb;
      const capacity = await freeCapacity(signal);
      const addedMb = size.memoryMb - memoryMbOf(description);
      if (addedMb > capacity.memoryMb || (diskBytes - sizeBytes) / bytesPerGb > capacity.diskGb)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no capacity for this size.' });
      await storage.grow(disk, diskBytes, signal);
      setSize(description, size);
      await session.define(description, signal);
    },
    async remove(name, signal) {
      const dom = await session.find(name, signal);
      if (dom !== undefined) {
        if (isOn(dom)) await session.call(domainDestroyFlags, { dom, flags: 0 }, signal);
        // Before the description, which names the disks of a machine that Hostyard did not create.
        const description = await session.describe(dom, 'persistent', signal);
        if (hasPlatforms(description)) await storage.refresh(signal);
        const paths = diskPaths(description);
        await storage.removePaths(
          paths.filter((path) => !isVolumePath(path)),
          signal,
        );
      }
      await storage.removeAllBut(name, undefined, signal);
      if (dom !== undefined) await session.call(domainUndefineFlags, { dom, flags: undefineFlags }, signal);
      await removeFilter(name, signal);
    },
  };

  const systems: Systems = {
    async build(name, system, signal) {
      const description = await describePersistent(name, signal);
      const current = currentSystemId(name, description);
      // The running system is complete.
      if (current === system.id) return;
      const { sizeBytes } = await storage.diskSize(name, current, signal);
      const mac = macOf(description);
      // The old disk is removed only after the new one is in use, so the new one must fit next to it.
      const { freeBytes } = await storage.freeSpace(signal);
      const template = await storage.template(system.template, templates, signal);
      if (freeBytes < template.sizeBytes)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no capacity for another system.' });
      await checkPlatform(system, description, signal);
      await build(name, system, { template, diskBytes: sizeBytes, mac }, signal);
      const latest = await describePersistent(name, signal);
      if (recordPlatforms(latest, current, system.id, system.platform ?? plainPlatform))
        await session.define(latest, signal);
    },
    current: async (name, signal) => currentSystemId(name, await describePersistent(name, signal)),
    async use(name, id, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom)) throw conflict('The machine is on. Power it off before changing its system.');
      const files = await storage.filesOf(name, id, signal);
      if (files === undefined) throw new ApiError('not_found', { internal: `${name} has no system ${id}` });
      const description = await session.describe(dom, 'persistent', signal);
      usePlatform(description, currentSystemId(name, description), id, files.disk);
      setSystemFiles(description, files);
      await session.define(description, signal);
    },
    async setNetwork(name, settings, signal) {
      const dom = await session.domain(name, signal);
      const description = await session.describe(dom, 'persistent', signal);
      const id = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
      const current = diskFile(findDisk(description, 'seed'));
      const seed = id && current && (await storage.readSeed(name, id, current, signal));
      // The provider built the system, or replaced its seed.
      if (!id || !current || !seed) return;
      const changed = changeSeed(seed, settings, macOf(description));
      const path = changed === undefined ? current : await storage.addSeed(name, id, changed, signal);
      const insertSeed = (domain: Element): Element | undefined => {
        const drive = findDisk(domain, 'seed');
        if (drive === undefined || diskFile(drive) === path) return undefined;
        setDiskFile(drive, path);
        return drive;
      };
      await session.updateDrive(dom, insertSeed, signal);
      await storage.removeOtherSeeds(name, id, path, signal);
    },
    async tidy(name, signal) {
      const description = await describePersistent(name, signal);
      const current = currentSystemId(name, description);
      if (hasPlatforms(description)) await storage.refresh(signal);
      await storage.removeAllBut(name, current, signal);
      if (keepPlatformOnly(description, current)) await session.define(description, signal);
    },
  };

  const usage: MachineStatistics = {
    async read(name, signal) {
      const dom = await session.domain(name, signal);
      const [[entry], description] = await Promise.all([
        readStatistics([dom], usageStatistics, signal),
        session.describe(dom, 'persistent', signal),
      ]);
      const numbers: Numbers = entry?.numbers ?? new Map();
      const id = systemIdFromPath(name, diskFile(findDisk(description, 'disk')) ?? '');
      const disk = id === undefined ? diskOf(numbers) : await storage.diskSize(name, id, signal);
      return usageOf(entry?.dom ?? dom, numbers, disk);
    },
    async readAll(signal) {
      const entries = await readStatistics([], usageStatistics, signal);
      const nameOf = await session.machineNames();
      return new Map(entries.map(({ dom, numbers }) => [nameOf(dom), usageOf(dom, numbers, diskOf(numbers))]));
    },
  };
  return { machines, systems, statistics: usage, freeCapacity, hostTotals };
}

/** libvirt writes it in KiB. */
function memoryMbOf(description: Element): number {
  return Number(findPath(description, 'memory')?.text) / (bytesPerMb / bytesPerKb);
}

function macOf(description: Element): string {
  return findPath(description, 'devices', 'interface', 'mac')?.attributes['address'] ?? '';
}

function machineInfo(dom: Domain, name: string): MachineInfo {
  return { name, power: isOn(dom) ? 'on' : 'off' };
}

type Numbers = ReadonlyMap<string, ParameterValue>;

function usageOf(dom: Domain, numbers: Numbers, { allocatedBytes, sizeBytes }: Partial<VolumeSize>): MachineUsage {
  const [available, usable] = [byteField(numbers, 'balloon.available'), byteField(numbers, 'balloon.usable')];
  const cpuNanoseconds = numberField(numbers, 'cpu.time');
  return {
    run: isOn(dom) ? String(dom.id) : undefined,
    cpuMs: cpuNanoseconds === undefined ? undefined : cpuNanoseconds / 1e6,
    memoryUsed: available === undefined || usable === undefined ? undefined : available - usable,
    memoryTotal: byteField(numbers, 'balloon.maximum') ?? 0,
    // A full disk occupies slightly more than its size.
    diskUsed: allocatedBytes === undefined ? undefined : Math.min(allocatedBytes, sizeBytes ?? Infinity),
    diskTotal: sizeBytes ?? 0,
    received: sumFields(numbers, 'net', 'rx.bytes'),
    sent: sumFields(numbers, 'net', 'tx.bytes'),
    diskRead: sumFields(numbers, 'block', 'rd.bytes'),
    diskWritten: sumFields(numbers, 'block', 'wr.bytes'),
  };
}

function versionText(version: bigint): string {
  return `${version / 1_000_000n}.${(version / 1000n) % 1000n}.${version % 1000n}`;
}

/** The first block device is the disk of the system; the others are drives for images. */
function diskOf(numbers: Numbers): Partial<VolumeSize> {
  const [allocatedBytes, sizeBytes] = [
    numberField(numbers, 'block.0.physical'),
    numberField(numbers, 'block.0.capacity'),
  ];
  return { ...(allocatedBytes !== undefined && { allocatedBytes }), ...(sizeBytes !== undefined && { sizeBytes }) };
}

/** Returns the sum over the devices of a group, or undefined if libvirt reports none. */
function sumFields(numbers: Numbers, group: 'net' | 'block', field: string): number | undefined {
  const count = numberField(numbers, `${group}.count`) ?? 0;
  const values = Array.from({ length: count }, (_, index) => numberField(numbers, `${group}.${index}.${field}`));
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0);
}

function numberField(numbers: Numbers, field: string): number | undefined {
  const value = numbers.get(field);
  return value === undefined ? undefined : Number(value);
}

/** libvirt reports memory in KiB. */
function byteField(numbers: Numbers, field: string): number | undefined {
  const value = numberField(numbers, field);
  return value === undefined ? undefined : value * bytesPerKb;
}
