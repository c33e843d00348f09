// Backups of containers through LXD's own: an archive of the root file system with the container's settings. It is not
// compressed, because the repository recognizes only content that it can see.
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import { backgroundWork } from '../background-work.ts';
import type { MachineBackups } from '../driver.ts';
import type { LxdApi } from './api.ts';
import {
  instanceName,
  instancePath,
  instancesUsing,
  keys,
  memberOf,
  powerState,
  Profile,
  profilePath,
  type Instance,
} from './instances.ts';
import { hideCards, ignoreNotFound, removeInstance, requireInstance } from './machines.ts';

const Backup = Type.Object({ name: Type.String() });
const Operations = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      status_code: Type.Integer(),
      resources: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.Array(Type.String()))])),
    }),
  ),
);
const running = 103;
/** LXD removes what Hostyard does not. */
const keptDays = 3;

export function createBackups(api: LxdApi, pool: string, copies = backgroundWork()): MachineBackups {
  const backupPath = (instance: string, id: string): string =>
    `${instancePath(instance)}/backups/${encodeURIComponent(id)}`;
  const removeCopies = async (name: string, id: string, signal: AbortSignal): Promise<void> => {
    const profile = await api.find(profilePath(name), Profile, signal);
    for (const instance of profile === undefined ? [name] : instancesUsing(profile))
      await api.change('DELETE', backupPath(instance, id), signal).catch(ignoreNotFound);
  };
  /** LXD lists a backup from the beginning of its creation, and removes it if that fails. */
  const requireIdle = async (instance: string, signal: AbortSignal): Promise<void> => {
    const operations = Object.values(await api.get('/1.0/operations?recursion=1', Operations, signal)).flat();
    const isBusy = operations.some(
      ({ status_code, resources }) =>
        status_code === running &&
        Object.values(resources ?? {}).some((paths) => paths.some((path) => path.split('/').includes(instance))),
    );
    if (isBusy) throw new ApiError('device_busy', { message: 'The machine is being copied.' });
  };
  const create = async (instance: Instance, id: string, signal: AbortSignal): Promise<boolean> => {
    await api.change('POST', `${instancePath(instance.name)}/backups`, signal, {
      name: id,
      instance_only: true,
      optimized_storage: false,
      compression_algorithm: 'none',
      expires_at: new Date(Date.now() + keptDays * 86_400_000).toISOString(),
    });
    return powerState(instance) === 'off';
  };
  return {
    async copy(name, id, signal) {
      const instance = await requireInstance(api, name, signal);
      if ((await api.find(backupPath(instance.name, id), Backup, signal)) === undefined)
        return { isConsistent: await copies.run(`${name} ${id}`, (limit) => create(instance, id, limit)) };
      await requireIdle(instance.name, signal);
      return { isConsistent: powerState(instance) === 'off' };
    },
    async *read(name, id, signal) {
      const { name: instance } = await requireInstance(api, name, signal);
      if ((await api.find(backupPath(instance, id), Backup, signal)) === undefined)
        throw new ApiError('not_found', { internal: `${instance} has no backup ${id}` });
      yield* api.download(`${backupPath(instance, id)}/export`, signal);
    },
    async discard(name, id, signal) {
      await copies.cancel(`${name} ${id}`);
      await removeCopies(name, id, signal);
    },
    async restore(name, system, content, signal) {
      const current = await requireInstance(api, name, signal);
      const instance = instanceName(name, system);
      if (current.name === instance) throw new ApiError('node_error', { internal: `${name} boots ${instance}` });
      await removeInstance(api, instance, signal);
      const { member } = memberOf(current);
      const target = member === undefined ? '' : `?target=${encodeURIComponent(member)}`;
      await api.upload(`/1.0/instances${target}`, namedHeaders({ name: instance, pool }), content, signal);
      // The settings are those of the time of the backup. The cards have the same address as those of the current system.
      const devices = await hideCards(api, name, signal);
      const config = { [keys.system]: system, [keys.built]: 'yes' };
      await api.change('PATCH', instancePath(instance), signal, { config, devices });
    },
  };
}

function namedHeaders(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [`x-lxd-${name}`, `x-incus-${name}`].map((key) => [key, value])),
  );
}
