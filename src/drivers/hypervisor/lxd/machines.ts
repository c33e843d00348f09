// Machines and their systems on an LXD node: profiles and the instances that have them (see shapes.ts for why).
import { Type } from 'typebox';
import { Fault } from '#kernel/fault.ts';
import type { FoundMachine, MachineShape, Machines, SystemBuild, Systems } from '../driver.ts';
import { noRoom, wrong, type LxdApi } from './api.ts';
import { furnish } from './guest.ts';
import { readRoom } from './room.ts';
import {
  bytesOf,
  handmade,
  Instance,
  instanceOf,
  instancePath,
  instancesOf,
  isLost,
  isStopped,
  isWhole,
  keys,
  memberOf,
  powerOf,
  Profile,
  profilePath,
  systemOf,
  withoutTunnels,
} from './shapes.ts';

export interface LxdStock {
  readonly pool: string;
  /** What LXD shall make of a machine's network card; as the default profile says where it is left out. */
  readonly nic: Readonly<Record<string, string>> | undefined;
}

const bytesPerGb = 2 ** 30;
const undoMs = 60_000;

/** The instance that a machine runs; a Fault `not_found` where there is no such machine. */
export async function located(api: LxdApi, name: string, signal: AbortSignal): Promise<Instance> {
  const instance = await locate(api, name, signal);
  if (instance === undefined) throw new Fault('not_found', { internal: `no machine ${name}` });
  return instance;
}

async function locate(api: LxdApi, name: string, signal: AbortSignal): Promise<Instance | undefined> {
  const profile = await api.find(profilePath(name), Profile, signal);
  const instance = await api.find(instancePath(profile?.config[keys.current] ?? name), Instance, signal);
  return instance !== undefined && isWhole(instance) ? instance : undefined;
}

/** The profile of a machine. One that was made by hand gets it now: what the instance has, for the systems to come. */
export async function profileOf(api: LxdApi, name: string, signal: AbortSignal): Promise<Profile> {
  const present = await api.find(profilePath(name), Profile, signal);
  if (present?.config[keys.current] !== undefined) return present;
  if (present !== undefined) throw wrong(`the profile ${name} is somebody else's`);
  const instance = await located(api, name, signal);
  const limits = Object.entries(instance.expanded_config).filter(([key]) => key.startsWith('limits.'));
  const config = { ...Object.fromEntries(limits), [keys.machine]: name, [keys.current]: instance.name };
  await api.change('POST', '/1.0/profiles', signal, { name, config, devices: instance.expanded_devices });
  await api.change('PATCH', instancePath(instance.name), signal, { profiles: [...instance.profiles, name] });
  return api.get(profilePath(name), Profile, signal);
}

export function machinesOf(api: LxdApi, stock: LxdStock): Machines {
  const found = (instance: Instance, name: string): FoundMachine => ({
    name,
    power: powerOf(instance),
    ...memberOf(instance),
  });
  const remove = async (name: string, signal: AbortSignal): Promise<void> => {
    const profile = await api.find(profilePath(name), Profile, signal);
    const isOurs = profile?.config[keys.current] !== undefined;
    for (const instance of isOurs ? instancesOf(profile) : [name]) await removeInstance(api, instance, signal);
    if (isOurs) await api.change('DELETE', profilePath(name), signal).catch(unlessAbsent);
  };
  return {
    async list(signal) {
      const instances = await api.get('/1.0/instances?recursion=1', Type.Array(Instance), signal);
      return instances.flatMap((instance) => {
        const { [keys.machine]: name = instance.name, [keys.current]: current = instance.name } =
          instance.expanded_config;
        const isSeen = current === instance.name && isWhole(instance) && !isLost(instance);
        return isSeen ? [found(instance, name)] : [];
      });
    },
    async find(name, signal) {
      const instance = await locate(api, name, signal);
      return instance && found(instance, name);
    },
    async create(name, shape, first, signal) {
      if ((await locate(api, name, signal)) !== undefined) return;
      const room = await readRoom(api, stock.pool, signal);
      if (shape.memoryMb > room.memoryMb || shape.diskGb > room.diskGb) throw noRoom(JSON.stringify(room));
      await checkTemplate(api, first.template, signal);
      await orUndo(
        async () => {
          await putProfile(api, name, profileFor(name, shape, first, stock), signal);
          await buildInstance(api, name, first, signal);
        },
        (time) => remove(name, time),
      );
    },
    remove,
  };
}

export function systemsOf(api: LxdApi, stock: LxdStock): Systems {
  return {
    async build(name, system, signal) {
      const profile = await profileOf(api, name, signal);
      const instance = instanceOf(name, system.id);
      const there = await api.find(instancePath(instance), Instance, signal);
      if (there !== undefined && isWhole(there)) return;
      const diskGb = (bytesOf(profile.devices['root']?.['size']) ?? 0) / bytesPerGb;
      const room = await readRoom(api, stock.pool, signal);
      if (diskGb > room.diskGb) throw noRoom(JSON.stringify(room));
      await checkTemplate(api, system.template, signal);
      await orUndo(
        () => buildInstance(api, name, system, signal),
        (time) => removeInstance(api, instance, time),
      );
    },
    current: async (name, signal) => systemOf(await located(api, name, signal)),
    async use(name, id, signal) {
      const instance = await api.find(instancePath(instanceOf(name, id)), Instance, signal);
      if (instance === undefined || !isWhole(instance)) throw new Fault('not_found', { internal: `no system ${id}` });
      const present = await located(api, name, signal);
      if (present.name === instance.name) return;
      if (powerOf(present) === 'on')
        throw new Fault('state_conflict', { message: 'The machine is on: its system cannot be changed now.' });
      await api.change('PATCH', profilePath(name), signal, { config: { [keys.current]: instance.name } });
    },
    async tidy(name, signal) {
      const { name: present } = await located(api, name, signal);
      const profile = await profileOf(api, name, signal);
      for (const instance of instancesOf(profile))
        if (instance !== present) await removeInstance(api, instance, signal);
    },
  };
}

/** A machine whose making was cut off has its profile already, perhaps of another shape. */
async function putProfile(
  api: LxdApi,
  name: string,
  profile: Omit<Profile, 'used_by'>,
  signal: AbortSignal,
): Promise<void> {
  const present = await api.find(profilePath(name), Profile, signal);
  if (present === undefined) await api.change('POST', '/1.0/profiles', signal, { name, ...profile });
  else if (present.config[keys.current] === undefined) throw wrong(`the profile ${name} is somebody else's`);
  else await api.change('PUT', profilePath(name), signal, profile);
}

function profileFor(
  name: string,
  { vcpus, memoryMb, diskGb, mac }: MachineShape,
  { id }: SystemBuild,
  { pool, nic }: LxdStock,
): Omit<Profile, 'used_by'> {
  const root = { type: 'disk', path: '/', pool, size: `${diskGb}GiB` };
  const card = nic && { ...nic, type: 'nic', name: 'eth0', hwaddr: mac };
  return {
    description: `Hostyard: ${name}`,
    config: {
      [keys.machine]: name,
      [keys.current]: instanceOf(name, id),
      'limits.cpu': String(vcpus),
      'limits.memory': `${memoryMb}MiB`,
      ...withoutTunnels,
    },
    devices: { root, ...(card && { eth0: card }) },
  };
}

async function buildInstance(api: LxdApi, name: string, system: SystemBuild, signal: AbortSignal): Promise<void> {
  if (system.id === handmade) throw wrong('this id means a system that was made by hand');
  const instance = instanceOf(name, system.id);
  // What is there in part is begun again.
  await removeInstance(api, instance, signal);
  await api.change('POST', '/1.0/instances', signal, {
    name: instance,
    profiles: ['default', name],
    source: { type: 'image', alias: system.template },
    config: { [keys.system]: system.id, [keys.built]: 'no' },
  });
  await furnish(api, instance, system, signal);
  // The image's own templates would write the instance's name over the hostname at the first start.
  const config = { [keys.built]: 'yes', 'volatile.apply_template': '' };
  await api.change('PATCH', instancePath(instance), signal, { config });
}

async function removeInstance(api: LxdApi, name: string, signal: AbortSignal): Promise<void> {
  const instance = await api.find(instancePath(name), Instance, signal);
  if (instance === undefined) return;
  if (!isStopped(instance)) await stop(api, name, signal);
  await api.change('DELETE', instancePath(name), signal).catch(unlessAbsent);
}

/** Hard, at once. */
export async function stop(api: LxdApi, instance: string, signal: AbortSignal): Promise<void> {
  await api.change('PUT', `${instancePath(instance)}/state`, signal, { action: 'stop', force: true, timeout: -1 });
}

async function checkTemplate(api: LxdApi, template: string, signal: AbortSignal): Promise<void> {
  const path = `/1.0/images/aliases/${encodeURIComponent(template)}`;
  if ((await api.find(path, Type.Object({ target: Type.String() }), signal)) === undefined)
    throw new Fault('node_error', {
      message: 'The node does not have this template.',
      internal: `no image ${template}`,
    });
}

/** Leaves nothing of what the node refused. What it fell silent over stays, and is taken up by the next try. */
async function orUndo(work: () => Promise<void>, undo: (signal: AbortSignal) => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isKnown = error instanceof Fault && error.code !== 'node_unreachable';
    // The failure that is told is the first one.
    if (isKnown) await undo(AbortSignal.timeout(undoMs)).catch(() => {});
    throw error;
  }
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof Fault) || error.code !== 'not_found') throw error;
}
