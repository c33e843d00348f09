// Migration between two LXD or Incus servers, or clusters: the target pulls the instance from the source, so it must reach the
// source's URL. Containers stop for it: moving a running one needs CRIU, which fails for most systems.
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import { missingCapability } from '../driver.ts';
import type { CopyProgress, MachineMigration } from '../migration.ts';
import { checkSchema, hypervisorError, type LxdApi } from './api.ts';
import { cardNames } from './filter.ts';
import {
  Instance,
  instancePath,
  instancesUsing,
  isComplete,
  isStopped,
  keys,
  volumeDevices,
  type Devices,
  type Profile,
} from './instances.ts';
import { createMachines, ensureProfile, putProfile, requireInstance, type LxdDefaults } from './machines.ts';

interface Side {
  readonly api: LxdApi;
  readonly defaults: LxdDefaults;
  /** The address at which other servers reach this one. */
  readonly url: string | undefined;
}

const Server = Type.Object({ environment: Type.Object({ certificate: Type.String() }) });
const Architecture = Type.Object({ architecture: Type.String() });
const Secrets = Type.Object({ metadata: Type.Record(Type.String(), Type.String()) });
const Operation = Type.Object({ status_code: Type.Integer(), err: Type.String() });
const Operations = Type.Object({
  running: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), resources: Type.Optional(Type.Union([Type.Unknown(), Type.Null()])) })),
  ),
});
const success = 200;
const waitSeconds = 5;
const running: CopyProgress = { copiedBytes: 0, totalBytes: 0, isComplete: false };
const complete: CopyProgress = { copiedBytes: 1, totalBytes: 1, isComplete: true };

const sides = new WeakMap<MachineMigration, Side>();

export function createMigration(api: LxdApi, defaults: LxdDefaults, url: string | undefined): MachineMigration {
  const source: Side = { api, defaults, url };
  /** Copies that this process has started, by instance: a copy without one may be incomplete. */
  const operations = new Map<string, string>();
  const migration: MachineMigration = {
    movesVolumes: false,
    findLiveObstacle: async () => 'A container cannot move while it runs.',
    moveLive: async () => {
      throw missingCapability('migration', { internal: 'a container cannot move while it runs' });
    },
    cancelLive: async () => {},
    async copy(name, targetPart, networks, _position, signal) {
      const target = sideOf(targetPart);
      const instance = await requireInstance(api, name, signal);
      if (!isStopped(instance)) throw new ApiError('state_conflict', { internal: `${name} is on` });
      // The current system last: before that, the target has no machine of this name.
      for (const each of [...(await findSnapshotHolders(api, name, instance, signal)), instance])
        if (!(await copyInstance(target, name, each, signal))) return running;
      return finish(target, name, networks, signal);
    },
  };
  /** Returns true once it is complete. */
  const copyInstance = async (
    target: Side,
    machine: string,
    instance: Instance,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { name } = instance;
    const copy = await target.api.find(instancePath(name), Instance, signal);
    if (copy !== undefined && isComplete(copy)) return true;
    const operation = operations.get(name) ?? (await findOperation(target.api, name, signal));
    if (operation === undefined) {
      if (copy !== undefined) await target.api.change('DELETE', instancePath(name), signal);
      operations.set(name, await startCopy(source, target, machine, instance, signal));
      return false;
    }
    const isKnown = operations.has(name);
    const { status_code, err } = await readOperation(target.api, operation, signal);
    if (status_code < success) return false;
    operations.delete(name);
    if (status_code > success) throw hypervisorError(`LXD could not copy ${name}: ${err}`);
    // Another process may have started it, and its result is unknown here: start again.
    if (!isKnown) return false;
    // As after a build: the templates of the image must not change the system.
    const config = { [keys.built]: 'yes', 'volatile.apply_template': '' };
    await target.api.change('PATCH', instancePath(name), signal, { config });
    return true;
  };
  sides.set(migration, source);
  return migration;
}

function sideOf(target: MachineMigration): Side {
  const side = sides.get(target);
  if (side === undefined) throw new ApiError('node_error', { internal: 'the target does not run LXD or Incus' });
  return side;
}

/** Returns the replaced systems of a machine, which LXD keeps for their snapshots. */
async function findSnapshotHolders(
  api: LxdApi,
  machine: string,
  current: Instance,
  signal: AbortSignal,
): Promise<Instance[]> {
  const others = instancesUsing(await ensureProfile(api, machine, signal)).filter((name) => name !== current.name);
  const instances = await Promise.all(others.map((name) => api.get(instancePath(name), Instance, signal)));
  return instances.filter(isComplete);
}

async function finish(
  { api, defaults }: Side,
  name: string,
  networks: readonly string[],
  signal: AbortSignal,
): Promise<CopyProgress> {
  const { setNetworks } = createMachines(api, defaults);
  // A machine that cannot be filtered is reported as such, as after its creation.
  await setNetworks(name, networks, signal).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'capability_missing') throw error;
  });
  return complete;
}

/** Returns the path of the operation on the target. */
async function startCopy(
  source: Side,
  target: Side,
  name: string,
  instance: Instance,
  signal: AbortSignal,
): Promise<string> {
  if (source.url === undefined)
    throw new ApiError('capability_missing', {
      message: 'The hypervisor has no url in the site file, so others cannot copy machines from it.',
    });
  const profile = await ensureProfile(source.api, name, signal);
  if (volumeDevices({ ...profile.devices, ...instance.devices }).length > 0)
    throw new ApiError('state_conflict', { internal: `${name} has volumes` });
  await putProfile(target.api, name, adaptProfile(profile, target.defaults), signal);
  const { environment } = await source.api.get('/1.0', Server, signal);
  const { architecture } = await source.api.get(instancePath(instance.name), Architecture, signal);
  const offer = await source.api.start('POST', instancePath(instance.name), signal, {
    name: instance.name,
    migration: true,
    live: false,
    instance_only: false,
  });
  const { metadata: secrets } = checkSchema(Secrets, offer.metadata, 'the migration');
  const { path } = await target.api.start('POST', '/1.0/instances', signal, {
    name: instance.name,
    architecture,
    profiles: instance.profiles.filter((used) => used === 'default' || used === name),
    config: { ...keptConfig(instance.config), [keys.built]: 'no' },
    devices: withPool(instance.devices, target.defaults.pool),
    source: {
      type: 'migration',
      mode: 'pull',
      operation: `${source.url.replace(/\/$/, '')}${offer.path}`,
      certificate: environment.certificate,
      secrets,
      instance_only: false,
    },
  });
  return path;
}

/** Without what LXD notes about the instance on its host, except for the addresses of cards. */
function keptConfig(config: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).filter(([key]) => !key.startsWith('volatile.') || key.endsWith('.hwaddr')),
  );
}

function adaptProfile({ config, description = '', devices }: Profile, { pool, nic }: LxdDefaults) {
  const cards = cardNames(devices).map((card): [string, Record<string, string>] => {
    const { name = card, hwaddr } = devices[card]!;
    return [card, nic === undefined ? devices[card]! : { ...nic, type: 'nic', name, ...(hwaddr && { hwaddr }) }];
  });
  return { config, description, devices: { ...withPool(devices, pool), ...Object.fromEntries(cards) } };
}

function withPool(devices: Devices, pool: string): Devices {
  return Object.fromEntries(
    Object.entries(devices).map(([name, device]) => [
      name,
      device['type'] === 'disk' && device['path'] === '/' ? { ...device, pool } : device,
    ]),
  );
}

export async function readOperation(api: LxdApi, path: string, signal: AbortSignal) {
  const operation = await api.find(`${path}/wait?timeout=${waitSeconds}`, Operation, signal);
  // LXD forgets an operation some seconds after its end.
  return operation ?? { status_code: success + 1, err: 'the operation is gone' };
}

/** `name` is that of an instance, or of a machine for its instances. */
export async function findOperation(api: LxdApi, name: string, signal: AbortSignal): Promise<string | undefined> {
  const { running: operations = [] } = await api.get('/1.0/operations?recursion=1', Operations, signal);
  const paths = [`/instances/${name}"`, `/instances/${name}--`];
  const own = operations.find(({ resources }) => paths.some((path) => JSON.stringify(resources ?? {}).includes(path)));
  return own && `/1.0/operations/${own.id}`;
}
