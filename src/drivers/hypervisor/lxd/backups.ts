// Backups of containers through LXD's own: an archive of the root file system with the container's settings.
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import { backgroundWork } from '../background-work.ts';
import type { MachineBackups } from '../backups.ts';
import type { Volumes } from '../volumes.ts';
import type { Snapshots } from '../snapshots.ts';
import { rewriteTar } from '../tar-rewrite.ts';
import type { LxdApi } from './api.ts';
import { backupSettings, namedHeaders } from './backup-requests.ts';
import {
  instanceName,
  instancePath,
  instancesUsing,
  keys,
  targetOf,
  powerState,
  Profile,
  profilePath,
  type Instance,
} from './instances.ts';
import { hideCards, ignoreNotFound, removeInstance, requireInstance } from './machines.ts';
import { createVolumeBackups } from './volume-backups.ts';
import { requireIdle } from './operations.ts';

const Backup = Type.Object({ name: Type.String() });
const containerFolder = 'backup/container/';

export function createBackups(
  api: LxdApi,
  pool: string,
  { snapshots, volumes }: { readonly snapshots: Snapshots; readonly volumes: Volumes },
): MachineBackups {
  const copies = backgroundWork();
  const backupPath = (instance: string, id: string): string =>
    `${instancePath(instance)}/backups/${encodeURIComponent(id)}`;
  const removeCopies = async (name: string, id: string, signal: AbortSignal): Promise<void> => {
    const profile = await api.find(profilePath(name), Profile, signal);
    for (const instance of profile === undefined ? [name] : instancesUsing(profile))
      await api.change('DELETE', backupPath(instance, id), signal).catch(ignoreNotFound);
  };
  const create = async (instance: Instance, id: string, signal: AbortSignal): Promise<boolean> => {
    const request = { ...backupSettings(id), instance_only: true };
    await api.change('POST', `${instancePath(instance.name)}/backups`, signal, request);
    return powerState(instance) === 'off';
  };
  return {
    async copy(name, id, signal) {
      const instance = await requireInstance(api, name, signal);
      if ((await api.find(backupPath(instance.name, id), Backup, signal)) === undefined)
        return { isConsistent: await copies.run(`${name} ${id}`, (limit) => create(instance, id, limit)) };
      await requireIdle(api, instance.name, signal);
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
      await api.upload(`/1.0/instances${targetOf(current)}`, namedHeaders({ name: instance, pool }), content, signal);
      // The settings are those of the time of the backup. The cards have the same address as those of the current system.
      const devices = await hideCards(api, name, signal);
      const config = { [keys.system]: system, [keys.built]: 'yes' };
      await api.change('PATCH', instancePath(instance), signal, { config, devices });
    },
    async createTemplate(template, content, signal) {
      await snapshots.removeTemplate(template, signal);
      const hash = createHash('sha256');
      await api.upload('/1.0/images', {}, digested(toImageArchive(content, template), hash), signal);
      const alias = { name: template, target: hash.digest('hex') };
      await api.change('POST', '/1.0/images/aliases', signal, alias);
    },
    ...createVolumeBackups(api, pool, volumes, copies),
  };
}

/** An image has what a container has, without its settings. The first file makes images of the same backup different. */
function toImageArchive(content: AsyncIterable<Buffer>, template: string): AsyncIterable<Buffer> {
  const rename = (path: string): string | undefined => {
    const own = path.startsWith(containerFolder) ? path.slice(containerFolder.length) : '';
    return /^(rootfs|templates)(\/|$)|^metadata\.yaml$/.test(own) ? own : undefined;
  };
  return rewriteTar(content, rename, { 'hostyard-template': template });
}

/** LXD names an image by its digest. */
async function* digested(content: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
