// Machines and their systems. A system is two files in the storage pool. The domain description names the two that the
// machine boots and is always replaced as a whole, so a machine is never without a system.
import { ApiError, conflict } from '#lib/api-error.ts';
import {
  connectGetAllDomainStats,
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
import type {
  MachineInfo,
  Machines,
  MachineStatistics,
  MachineUsage,
  Capacity,
  HostTotals,
  SystemBuild,
  Systems,
} from '../driver.ts';
import {
  describeDomain,
  diskPaths,
  findCard,
  findDisk,
  diskFile,
  setDiskFile,
  setSystemFiles,
  type SystemFiles,
} from './domain.ts';
import { errorCode } from '#protocols/libvirt/error.ts';
import { addFilter, describeFilter, filterUuid, needsFilter } from './filter.ts';
import { changeSeed, seedImage } from './seed.ts';
import { isOn, undefinedOnError, type Session } from './session.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { systemIdFromPath, type Storage, type Template, type VolumeSize } from './storage.ts';
import { findPath, writeXml, type Element } from './xml.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const kilobyte = 2 ** 10;
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
      throw new ApiError('node_error', { internal: `${name} boots a disk that Hostyard did not build` });
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
    const reserved = (settings.reservedMemoryMb ?? defaults.reservedMemoryMb) * megabyte;
    return {
      memoryMb: Math.max(0, Math.floor((Number(memoryKib) * kilobyte - committed - reserved) / megabyte)),
      diskGb: Math.max(0, Math.floor((freeBytes - growthBytes) / gigabyte)),
    };
  };

  const hostTotals = async (signal: AbortSignal): Promise<HostTotals> => {
    const [{ memoryKib, cpus }, { version }, capacityBytes] = await Promise.all([
      session.call(nodeGetInfo, undefined, signal),
      session.call(connectGetVersion, undefined, signal),
      storage.capacityBytes(signal),
    ]);
    const [major, minor, release] = [version / 1_000_000n, (version / 1000n) % 1000n, version % 1000n];
    return {
      version: `QEMU ${major}.${minor}.${release}`,
      cpus,
      memoryMb: Math.floor((Number(memoryKib) * kilobyte) / megabyte),
      diskGb: Math.floor(capacityBytes / gigabyte),
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
      if (settings.bridge === undefined) return domains.map(machineInfo);
      const listing = session.call(connectListAllNwfilterBindings, { needResults: 1, flags: 0 }, signal);
      const { bindings = [] } = (await undefinedOnError(errorCode.noSupport, listing)) ?? {};
      const inForce = new Set(bindings.map(({ filter }) => filter));
      return domains.map((dom) => ({
        ...machineInfo(dom),
        ...(isOn(dom) && { isFiltered: inForce.has(dom.name) }),
      }));
    },
    async find(name, signal) {
      const dom = await session.find(name, signal);
      return dom && machineInfo(dom);
    },
    async create(name, shape, first, signal) {
      if ((await session.find(name, signal)) !== undefined) return;
      const capacity = await freeCapacity(signal);
      if (capacity.memoryMb < shape.memoryMb || capacity.diskGb < shape.diskGb)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no capacity for this machine.' });
      const template = await storage.template(first.template, templates, signal);
      const target = { template, diskBytes: shape.diskGb * gigabyte, mac: shape.mac };
      const files = await build(name, first, target, signal);
      if (settings.bridge !== undefined) await defineFilter(name, shape.mac, shape.networks, signal);
      await session.define(describeDomain(name, shape, files, settings), signal);
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
    async remove(name, signal) {
      const dom = await session.find(name, signal);
      if (dom !== undefined) {
        if (isOn(dom)) await session.call(domainDestroyFlags, { dom, flags: 0 }, signal);
        // Before the description, which names the disks of a machine that Hostyard did not create.
        await storage.removePaths(diskPaths(await session.describe(dom, 'persistent', signal)), signal);
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
      // The old disk is removed only after the new one is in use, so the new one must fit beside it.
      const { freeBytes } = await storage.freeSpace(signal);
      const template = await storage.template(system.template, templates, signal);
      if (freeBytes < template.sizeBytes)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no capacity for another system.' });
      await build(name, system, { template, diskBytes: sizeBytes, mac }, signal);
    },
    current: async (name, signal) => currentSystemId(name, await describePersistent(name, signal)),
    async use(name, id, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom)) throw conflict('The machine is on. Power it off before changing its system.');
      const files = await storage.filesOf(name, id, signal);
      if (files === undefined) throw new ApiError('not_found', { internal: `${name} has no system ${id}` });
      const description = await session.describe(dom, 'persistent', signal);
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
      await session.updateDevice(dom, insertSeed, signal);
      await storage.removeOtherSeeds(name, id, path, signal);
    },
    tidy: async (name, signal) =>
      storage.removeAllBut(name, currentSystemId(name, await describePersistent(name, signal)), signal),
  };

  const usage: MachineStatistics = {
    async read(name, signal) {
      const dom = await session.domain(name, signal);
      const [[entry], disk] = await Promise.all([
        readStatistics([dom], usageStatistics, signal),
        systems.current(name, signal).then((id) => storage.diskSize(name, id, signal)),
      ]);
      return usageOf(entry?.dom ?? dom, entry?.numbers ?? new Map(), disk);
    },
    async readAll(signal) {
      const entries = await readStatistics([], usageStatistics, signal);
      return new Map(entries.map(({ dom, numbers }) => [dom.name, usageOf(dom, numbers, diskOf(numbers))]));
    },
  };
  return { machines, systems, statistics: usage, freeCapacity, hostTotals };
}

function macOf(description: Element): string {
  return findPath(description, 'devices', 'interface', 'mac')?.attributes['address'] ?? '';
}

function machineInfo(dom: Domain): MachineInfo {
  return { name: dom.name, power: isOn(dom) ? 'on' : 'off' };
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
  return value === undefined ? undefined : value * kilobyte;
}
