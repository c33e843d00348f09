// Machines and their systems. A system is two files in the pool and nothing else; the machine's description names the two that
// it boots, and is replaced as a whole, so that there is no moment without one.
import { Fault } from '#kernel/fault.ts';
import {
  connectGetAllDomainStats,
  connectListAllDomains,
  domainDestroyFlags,
  domainUndefineFlags,
  nodeGetInfo,
  type Domain,
  type ParameterValue,
} from '#wire/libvirt/procedures.ts';
import type { FoundMachine, Machines, MachineStatistics, Room, SystemBuild, Systems } from '../driver.ts';
import { describeDomain, device, fileIn, putSystem, type SystemFiles } from './domain.ts';
import { seedImage } from './seed.ts';
import { isOn, type Session } from './session.ts';
import { defaults, type LibvirtSettings } from './settings.ts';
import { systemOf, type Storage, type Template } from './storage.ts';
import { at, type Element } from './xml.ts';

const gigabyte = 2 ** 30;
const megabyte = 2 ** 20;
const kilobyte = 2 ** 10;
/** Saved memory, snapshots and firmware variables go with the machine. */
const withAllOfIt = 1 | 2 | 4;
const statistics = { memory: 4, network: 16 } as const;
const withoutWaiting = 2 ** 29;

export function machinesOf(session: Session, storage: Storage, settings: LibvirtSettings) {
  const templates = settings.templates ?? settings.pool;

  const kept = async (name: string, signal: AbortSignal): Promise<Element> =>
    session.describe(await session.domain(name, signal), 'kept', signal);
  const currentIn = (name: string, description: Element): string => {
    const id = systemOf(name, fileIn(device(description, 'disk')) ?? '');
    if (id === undefined) throw new Fault('node_error', { internal: `${name} boots what Hostyard did not build` });
    return id;
  };
  const statisticsOf = async (doms: readonly Domain[], stats: number, signal: AbortSignal) => {
    const { records } = await session.call(connectGetAllDomainStats, { doms, stats, flags: withoutWaiting }, signal);
    return records.map(({ params }) => new Map(params.map(({ field, value }) => [field, value.value])));
  };

  const room = async (signal: AbortSignal): Promise<Room> => {
    const [{ memoryKib }, all, { freeBytes, promisedBytes }] = await Promise.all([
      session.call(nodeGetInfo, undefined, signal),
      statisticsOf([], statistics.memory, signal),
      storage.room(signal),
    ]);
    // What is off may be switched on at any time.
    const given = all.reduce((sum, each) => sum + (bytesOf(each, 'balloon.maximum') ?? 0), 0);
    const reserved = (settings.reservedMemoryMb ?? defaults.reservedMemoryMb) * megabyte;
    return {
      memoryMb: Math.max(0, Math.floor((Number(memoryKib) * kilobyte - given - reserved) / megabyte)),
      diskGb: Math.max(0, Math.floor((freeBytes - promisedBytes) / gigabyte)),
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
      throw new Fault('nothing_free', { message: 'The template does not fit on the disk of this machine.' });
    const seed = seedImage(system, target.mac);
    try {
      return await storage.build(name, system.id, { template, diskBytes: target.diskBytes, seed }, signal);
    } catch (error) {
      await storage.removeSystem(name, system.id, signal).catch(() => undefined);
      throw error;
    }
  };

  const machines: Machines = {
    async list(signal) {
      const { domains } = await session.call(connectListAllDomains, { needResults: 1, flags: 0 }, signal);
      return domains.map(found);
    },
    async find(name, signal) {
      const dom = await session.find(name, signal);
      return dom && found(dom);
    },
    async create(name, shape, first, signal) {
      if ((await session.find(name, signal)) !== undefined) return;
      const left = await room(signal);
      if (left.memoryMb < shape.memoryMb || left.diskGb < shape.diskGb)
        throw new Fault('nothing_free', { message: 'The node has no room for this machine.' });
      const template = await storage.template(first.template, templates, signal);
      const target = { template, diskBytes: shape.diskGb * gigabyte, mac: shape.mac };
      const files = await build(name, first, target, signal);
      await session.keep(describeDomain(name, shape, files, settings), signal);
    },
    async remove(name, signal) {
      const dom = await session.find(name, signal);
      if (dom !== undefined) {
        if (isOn(dom)) await session.call(domainDestroyFlags, { dom, flags: 0 }, signal);
        await session.call(domainUndefineFlags, { dom, flags: withAllOfIt }, signal);
      }
      await storage.removeAllBut(name, undefined, signal);
    },
  };

  const systems: Systems = {
    async build(name, system, signal) {
      const description = await kept(name, signal);
      const current = currentIn(name, description);
      // It runs, so it is whole.
      if (current === system.id) return;
      const { sizeBytes } = await storage.diskSize(name, current, signal);
      const mac = at(description, 'devices', 'interface', 'mac')?.attributes['address'] ?? '';
      // The old disk goes when the new one is in use: what must be free until then is what a fresh system takes at most.
      const { freeBytes } = await storage.room(signal);
      const template = await storage.template(system.template, templates, signal);
      if (freeBytes < template.sizeBytes)
        throw new Fault('nothing_free', { message: 'The node has no room for another system.' });
      await build(name, system, { template, diskBytes: sizeBytes, mac }, signal);
    },
    current: async (name, signal) => currentIn(name, await kept(name, signal)),
    async use(name, id, signal) {
      const dom = await session.domain(name, signal);
      if (isOn(dom)) throw new Fault('state_conflict', { message: 'The machine is on: its system cannot be changed.' });
      const files = await storage.filesOf(name, id, signal);
      if (files === undefined) throw new Fault('not_found', { internal: `${name} has no system ${id}` });
      const description = await session.describe(dom, 'kept', signal);
      putSystem(description, files);
      await session.keep(description, signal);
    },
    tidy: async (name, signal) => storage.removeAllBut(name, currentIn(name, await kept(name, signal)), signal),
  };

  const use: MachineStatistics = {
    async read(name, signal) {
      const dom = await session.domain(name, signal);
      const [[told], disk] = await Promise.all([
        statisticsOf([dom], statistics.memory | statistics.network, signal),
        systems.current(name, signal).then((id) => storage.diskSize(name, id, signal)),
      ]);
      const numbers = told ?? new Map<string, ParameterValue>();
      const [available, usable] = [bytesOf(numbers, 'balloon.available'), bytesOf(numbers, 'balloon.usable')];
      return {
        memoryUsed: available === undefined || usable === undefined ? undefined : available - usable,
        memoryTotal: bytesOf(numbers, 'balloon.maximum') ?? 0,
        // A disk that is full takes a little more than its size.
        diskUsed: Math.min(disk.takenBytes, disk.sizeBytes),
        diskTotal: disk.sizeBytes,
        received: numberOf(numbers, 'net.0.rx.bytes'),
        sent: numberOf(numbers, 'net.0.tx.bytes'),
      };
    },
  };
  return { machines, systems, statistics: use, room };
}

function found(dom: Domain): FoundMachine {
  return { name: dom.name, power: isOn(dom) ? 'on' : 'off' };
}

function numberOf(numbers: ReadonlyMap<string, ParameterValue>, field: string): number | undefined {
  const value = numbers.get(field);
  return value === undefined ? undefined : Number(value);
}

/** libvirt counts memory in kilobytes. */
function bytesOf(numbers: ReadonlyMap<string, ParameterValue>, field: string): number | undefined {
  const value = numberOf(numbers, field);
  return value === undefined ? undefined : value * kilobyte;
}
