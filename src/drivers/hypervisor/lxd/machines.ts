// Machines as LXD profiles, and their systems as instances (see instances.ts for why).
import { Type } from 'typebox';
import { ApiError, conflict } from '#lib/api-error.ts';
import {
  bytesPerGb,
  bytesPerMb,
  type MachineInfo,
  type MachineShape,
  type MachineSize,
  type Machines,
  type SystemBuild,
  type Systems,
} from '../driver.ts';
import { noCapacity, hypervisorError, type LxdApi } from './api.ts';
import { cardNames, filterCards, isFiltered, readNetworkTypes } from './filter.ts';
import { changeNetwork, configureSystem, inNewSystem, inSystem } from './guest.ts';
import { readFreeCapacity } from './capacity.ts';
import {
  type Devices,
  parseSize,
  preexistingSystem,
  Instance,
  InstanceSnapshot,
  instanceName,
  instancePath,
  instancesUsing,
  isStopped,
  isComplete,
  keys,
  listedName,
  memberOf,
  targetOf,
  powerState,
  Profile,
  profilePath,
  systemId,
  tunDevice,
  volumeDevices,
} from './instances.ts';

export interface LxdDefaults {
  readonly pool: string;
  /** Properties of the machine's network device; without them, the default profile's device applies. */
  readonly nic: Readonly<Record<string, string>> | undefined;
}

/** Returns the instance that a machine boots, or rejects with `not_found`. */
export async function requireInstance(api: LxdApi, name: string, signal: AbortSignal): Promise<Instance> {
  const instance = await findInstance(api, name, signal);
  if (instance === undefined) throw new ApiError('not_found', { internal: `no machine ${name}` });
  return instance;
}

async function findInstance(api: LxdApi, name: string, signal: AbortSignal): Promise<Instance | undefined> {
  const profile = await api.find(profilePath(name), Profile, signal);
  const current = profile?.config[keys.current] ?? (await api.names.onHypervisor(name));
  const instance = await api.find(instancePath(current), Instance, signal);
  return instance !== undefined && isComplete(instance) ? instance : undefined;
}

/**
 * Returns the machine's profile. A machine that the provider created manually gets one here, so that later systems
 * inherit its limits and devices.
 */
export async function ensureProfile(api: LxdApi, name: string, signal: AbortSignal): Promise<Profile> {
  const existing = await api.find(profilePath(name), Profile, signal);
  if (existing?.config[keys.current] !== undefined) return existing;
  if (existing !== undefined) throw hypervisorError(`the profile ${name} does not belong to Hostyard`);
  const instance = await requireInstance(api, name, signal);
  const limits = Object.entries(instance.expanded_config).filter(([key]) => key.startsWith('limits.'));
  const config = { ...Object.fromEntries(limits), [keys.machine]: name, [keys.current]: instance.name };
  await api.change('POST', '/1.0/profiles', signal, { name, config, devices: instance.expanded_devices });
  await api.change('PATCH', instancePath(instance.name), signal, { profiles: [...instance.profiles, name] });
  return api.get(profilePath(name), Profile, signal);
}

export function createMachines(api: LxdApi, defaults: LxdDefaults): Machines {
  const machineInfo = (instance: Instance, name: string): MachineInfo => ({
    name,
    power: powerState(instance),
    ...memberOf(instance),
  });
  const remove = async (name: string, signal: AbortSignal): Promise<void> => {
    const profile = await api.find(profilePath(name), Profile, signal);
    const belongsToHostyard = profile?.config[keys.current] !== undefined;
    for (const instance of belongsToHostyard ? instancesUsing(profile) : [await api.names.onHypervisor(name)])
      await removeInstance(api, instance, signal);
    if (belongsToHostyard) await api.change('DELETE', profilePath(name), signal).catch(ignoreNotFound);
  };
  return {
    async list(signal) {
      const instances = await api.get('/1.0/instances?recursion=1', Type.Array(Instance), signal);
      const types = await readNetworkTypes(api, signal);
      const adopted = await api.names.adopted();
      return instances.flatMap((instance) => {
        const name = listedName(instance, adopted);
        if (name === undefined) return [];
        return [{ ...machineInfo(instance, name), isFiltered: isFiltered(instance.expanded_devices, types) }];
      });
    },
    async find(name, signal) {
      const instance = await findInstance(api, name, signal);
      return instance && machineInfo(instance, name);
    },
    async create(name, shape, first, signal) {
      if ((await findInstance(api, name, signal)) !== undefined) return;
      const capacity = await readFreeCapacity(api, defaults.pool, signal);
      if (shape.memoryMb > capacity.memoryMb || shape.diskGb > capacity.diskGb)
        throw noCapacity(JSON.stringify(capacity));
      await checkTemplate(api, first.template, signal);
      await undoOnError(
        async () => {
          await putProfile(api, name, newProfile(name, shape, first, defaults), signal);
          await buildInstance(api, name, first, {}, signal);
          await setNetworks(api, name, shape.networks, signal).catch(ignoreMissingCapability);
        },
        () => remove(name, signal),
      );
    },
    setNetworks: (name, networks, signal) => setNetworks(api, name, networks, signal),
    resizesLive: true,
    resize: (name, size, signal) => resizeMachine(api, name, size, defaults.pool, signal),
    remove,
  };
}

/** The size is in the machine's profile. A system that the provider created may have its own, which takes precedence. */
async function resizeMachine(
  api: LxdApi,
  name: string,
  { vcpus, memoryMb, diskGb }: MachineSize,
  pool: string,
  signal: AbortSignal,
): Promise<void> {
  const profile = await ensureProfile(api, name, signal);
  const instance = await requireInstance(api, name, signal);
  const root = instance.expanded_devices['root'] ?? {};
  const oldDiskBytes = parseSize(root['size']) ?? 0;
  const capacity = await readFreeCapacity(api, pool, signal);
  const addedBytes = memoryMb * bytesPerMb - (parseSize(instance.expanded_config['limits.memory']) ?? 0);
  if (addedBytes / bytesPerMb > capacity.memoryMb || diskGb - oldDiskBytes / bytesPerGb > capacity.diskGb)
    throw noCapacity(JSON.stringify(capacity));
  const config = { 'limits.cpu': String(vcpus), 'limits.memory': `${memoryMb}MiB` };
  const devices = diskGb * bytesPerGb > oldDiskBytes ? { root: { ...root, size: `${diskGb}GiB` } } : {};
  const own = {
    config: Object.fromEntries(Object.entries(config).filter(([key]) => key in instance.config)),
    devices: Object.fromEntries(Object.entries(devices).filter(([device]) => device in instance.devices)),
  };
  if (Object.keys({ ...own.config, ...own.devices }).length > 0)
    await api.change('PATCH', instancePath(instance.name), signal, own);
  await api.change('PUT', profilePath(name), signal, {
    config: { ...profile.config, ...config },
    description: profile.description ?? '',
    devices: { ...profile.devices, ...devices },
  });
}

/** Returns devices for another system of the machine, without the cards, whose addresses only one system can have. */
export async function hideCards(api: LxdApi, name: string, signal: AbortSignal): Promise<Devices> {
  return withoutCards((await ensureProfile(api, name, signal)).devices);
}

export function listSnapshots(api: LxdApi, instance: string, signal: AbortSignal): Promise<InstanceSnapshot[]> {
  return api.get(`${instancePath(instance)}/snapshots?recursion=1`, Type.Array(InstanceSnapshot), signal);
}

/**
 * The cards move to the machine's own profile, also those of the default profile. A system that the provider created may have
 * its own cards, which take precedence.
 */
async function setNetworks(api: LxdApi, name: string, networks: readonly string[], signal: AbortSignal): Promise<void> {
  const instance = await requireInstance(api, name, signal);
  const types = await readNetworkTypes(api, signal);
  const cards = filterCards(instance.expanded_devices, networks, types, isStopped(instance));
  const { config, description = '', devices } = await ensureProfile(api, name, signal);
  await api.change('PUT', profilePath(name), signal, { config, description, devices: { ...devices, ...cards } });
  const own = Object.fromEntries(cardNames(instance.devices).map((card) => [card, cards[card]!]));
  if (Object.keys(own).length > 0) await api.change('PATCH', instancePath(instance.name), signal, { devices: own });
}

export function createSystems(api: LxdApi, defaults: LxdDefaults): Systems {
  return {
    async build(name, system, signal) {
      const profile = await ensureProfile(api, name, signal);
      const instance = instanceName(name, system.id);
      const existing = await api.find(instancePath(instance), Instance, signal);
      if (existing !== undefined && isComplete(existing)) return;
      const diskGb = (parseSize(profile.devices['root']?.['size']) ?? 0) / bytesPerGb;
      const capacity = await readFreeCapacity(api, defaults.pool, signal);
      if (diskGb > capacity.diskGb) throw noCapacity(JSON.stringify(capacity));
      await checkTemplate(api, system.template, signal);
      await undoOnError(
        () => buildInstance(api, name, system, withoutCards(profile.devices), signal),
        () => removeInstance(api, instance, signal),
      );
    },
    current: async (name, signal) => systemId(await requireInstance(api, name, signal)),
    async use(name, id, signal) {
      const own = id === preexistingSystem ? await api.names.onHypervisor(name) : instanceName(name, id);
      const instance = await api.find(instancePath(own), Instance, signal);
      if (instance === undefined || !isComplete(instance))
        throw new ApiError('not_found', { internal: `no system ${id}` });
      const current = await requireInstance(api, name, signal);
      const isCurrent = current.name === instance.name;
      if (!isCurrent && powerState(current) === 'on')
        throw conflict('The machine is on. Power it off before changing its system.');
      // LXD starts no system while another one has a card with the same address.
      const profile = await ensureProfile(api, name, signal);
      for (const other of instancesUsing(profile))
        if (other !== instance.name) await unplugCards(api, other, profile, signal);
      await plugCards(api, instance.name, signal);
      if (isCurrent) return;
      await api.change('PATCH', profilePath(name), signal, { config: { [keys.current]: instance.name } });
    },
    async setNetwork(name, settings, signal) {
      const instance = await requireInstance(api, name, signal);
      await inSystem(signal, (limit) => changeNetwork(api, instance, settings, limit));
    },
    async tidy(name, signal) {
      const { name: current } = await requireInstance(api, name, signal);
      const profile = await ensureProfile(api, name, signal);
      for (const instance of instancesUsing(profile))
        if (instance !== current && (await listSnapshots(api, instance, signal)).length === 0)
          await removeInstance(api, instance, signal);
    },
  };
}

/** An interrupted creation may have left a profile, perhaps with a different shape. */
export async function putProfile(
  api: LxdApi,
  name: string,
  profile: Omit<Profile, 'used_by'>,
  signal: AbortSignal,
): Promise<void> {
  const existing = await api.find(profilePath(name), Profile, signal);
  if (existing === undefined) await api.change('POST', '/1.0/profiles', signal, { name, ...profile });
  else if (existing.config[keys.current] === undefined)
    throw hypervisorError(`the profile ${name} does not belong to Hostyard`);
  else await api.change('PUT', profilePath(name), signal, profile);
}

function newProfile(
  name: string,
  { vcpus, memoryMb, diskGb, mac }: MachineShape,
  { id }: SystemBuild,
  { pool, nic }: LxdDefaults,
): Omit<Profile, 'used_by'> {
  const root = { type: 'disk', path: '/', pool, size: `${diskGb}GiB` };
  const card = nic && { ...nic, type: 'nic', name: 'eth0', hwaddr: mac };
  return {
    description: `Hostyard: ${name}`,
    config: {
      [keys.machine]: name,
      [keys.current]: instanceName(name, id),
      'limits.cpu': String(vcpus),
      'limits.memory': `${memoryMb}MiB`,
    },
    devices: { root, tun: tunDevice('disabled'), ...(card && { eth0: card }) },
  };
}

/** Returns devices of an instance that hide the cards of its profile. */
function withoutCards(devices: Devices): Devices {
  return Object.fromEntries(cardNames(devices).map((card) => [card, { type: 'none' }]));
}

async function unplugCards(api: LxdApi, instance: string, profile: Profile, signal: AbortSignal): Promise<void> {
  const devices = withoutCards(profile.devices);
  if (Object.keys(devices).length > 0) await api.change('PATCH', instancePath(instance), signal, { devices });
}

async function plugCards(api: LxdApi, name: string, signal: AbortSignal): Promise<void> {
  const instance = await api.get(instancePath(name), Instance, signal);
  const kept = Object.entries(instance.devices).filter(([, { type }]) => type !== 'none');
  if (kept.length === Object.keys(instance.devices).length) return;
  await api.change('PUT', instancePath(name), signal, { ...instance, devices: Object.fromEntries(kept) });
}

async function buildInstance(
  api: LxdApi,
  name: string,
  system: SystemBuild,
  devices: Devices,
  signal: AbortSignal,
): Promise<void> {
  if (system.id === preexistingSystem) throw hypervisorError('this id is reserved for systems created manually');
  const instance = instanceName(name, system.id);
  // A partly built instance is built again.
  await removeInstance(api, instance, signal);
  await api.change('POST', `/1.0/instances${await placementOf(api, name, signal)}`, signal, {
    name: instance,
    profiles: ['default', name],
    source: { type: 'image', alias: system.template },
    config: { [keys.system]: system.id, [keys.built]: 'no' },
    devices,
  });
  const network = await inNewSystem(api, signal, () => configureSystem(api, instance, system, signal));
  // Otherwise the image's own templates would replace the hostname with the instance's name at the first start.
  const config = { [keys.built]: 'yes', [keys.network]: network, 'volatile.apply_template': '' };
  await api.change('PATCH', instancePath(instance), signal, { config });
}

/** A cluster places machines itself, but the systems of one with volumes stay on the member that has them. */
async function placementOf(api: LxdApi, name: string, signal: AbortSignal): Promise<string> {
  const profile = await api.find(profilePath(name), Profile, signal);
  if (profile === undefined || volumeDevices(profile.devices).length === 0) return '';
  return targetOf(await requireInstance(api, name, signal));
}

export async function removeInstance(api: LxdApi, name: string, signal: AbortSignal): Promise<void> {
  const instance = await api.find(instancePath(name), Instance, signal);
  if (instance === undefined) return;
  if (!isStopped(instance)) await forceStop(api, name, signal);
  await api.change('DELETE', instancePath(name), signal).catch(ignoreNotFound);
}

export async function forceStop(api: LxdApi, instance: string, signal: AbortSignal): Promise<void> {
  await api.change('PUT', `${instancePath(instance)}/state`, signal, { action: 'stop', force: true, timeout: -1 });
}

async function checkTemplate(api: LxdApi, template: string, signal: AbortSignal): Promise<void> {
  const path = `/1.0/images/aliases/${encodeURIComponent(template)}`;
  if ((await api.find(path, Type.Object({ target: Type.String() }), signal)) === undefined)
    throw new ApiError('node_error', {
      message: 'The hypervisor does not have this template.',
      internal: `no image ${template}`,
    });
}

/**
 * Cleans up after an error from the hypervisor. If it stopped responding, whatever was created stays, and the next
 * attempt continues from it. `undo` ends with the caller's signal: afterwards, another process may have done the work.
 */
async function undoOnError(work: () => Promise<void>, undo: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isDefinite = error instanceof ApiError && error.code !== 'node_unreachable';
    // The first error is the one to report.
    if (isDefinite) await undo().catch(() => {});
    throw error;
  }
}

/** The machine is reported as not filtered. */
function ignoreMissingCapability(error: unknown): void {
  if (!(error instanceof ApiError) || error.code !== 'capability_missing') throw error;
}

export function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'not_found') throw error;
}
