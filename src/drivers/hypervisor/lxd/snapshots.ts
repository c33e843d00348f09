// Snapshots of machines as LXD's own, which belong to an instance, that is to a system. A system that was replaced therefore stays,
// switched off, as long as it has snapshots; `tidy` and the removal of the last one remove it.
import { Type } from 'typebox';
import { requireFound } from '#lib/api-error.ts';
import { backgroundWork } from '../background-work.ts';
import type { SnapshotInfo, Snapshots } from '../snapshots.ts';
import type { LxdApi } from './api.ts';
import {
  Instance,
  instanceName,
  instancePath,
  instancesUsing,
  isComplete,
  keys,
  Profile,
  profilePath,
  targetOf,
  type InstanceSnapshot,
} from './instances.ts';
import { hideCards, ignoreNotFound, listSnapshots, removeInstance, requireInstance } from './machines.ts';
import { requireIdle } from './operations.ts';

const Image = Type.Object({ size: Type.Number() });
const Alias = Type.Object({ target: Type.String() });

interface Place {
  readonly instance: string;
  readonly info: SnapshotInfo;
}

export function createSnapshots(api: LxdApi): Snapshots {
  const copies = backgroundWork();
  const instancesOf = async (name: string, signal: AbortSignal): Promise<readonly string[]> => {
    const profile = await api.find(profilePath(name), Profile, signal);
    return profile === undefined ? [(await requireInstance(api, name, signal)).name] : instancesUsing(profile);
  };
  const places = async (name: string, signal: AbortSignal): Promise<Place[]> => {
    const all: Place[] = [];
    for (const instance of await instancesOf(name, signal))
      for (const snapshot of await listSnapshots(api, instance, signal))
        all.push({ instance, info: snapshotInfo(snapshot) });
    return all;
  };
  const find = async (name: string, id: string, signal: AbortSignal): Promise<Place | undefined> =>
    (await places(name, signal)).find(({ info }) => info.id === id);

  const create = async (name: string, id: string, signal: AbortSignal): Promise<void> => {
    const { name: instance } = await requireInstance(api, name, signal);
    await api.change('POST', `${instancePath(instance)}/snapshots`, signal, { name: id, stateful: false });
  };
  const restore = async (name: string, id: string, system: string, signal: AbortSignal): Promise<void> => {
    const { instance: source } = requireFound(await find(name, id, signal));
    const target = instanceName(name, system);
    const existing = await api.find(instancePath(target), Instance, signal);
    if (existing !== undefined && isComplete(existing)) return;
    await removeInstance(api, target, signal);
    const holder = await api.get(instancePath(source), Instance, signal);
    const { profiles } = holder;
    // LXD takes everything else from the snapshot. The cards have the same address as those of the current system. A cluster
    // would copy it to any of its members.
    await api.change('POST', `/1.0/instances${targetOf(holder)}`, signal, {
      name: target,
      profiles,
      devices: await hideCards(api, name, signal),
      config: { [keys.system]: system, [keys.built]: 'no' },
      source: { type: 'copy', source: `${source}/${id}`, instance_only: true },
    });
    await api.change('PATCH', instancePath(target), signal, { config: { [keys.built]: 'yes' } });
  };

  return {
    list: async (name, signal) => (await places(name, signal)).map(({ info }) => info),
    async create(name, id, signal) {
      const existing = await find(name, id, signal);
      if (existing === undefined) await copies.run(`${name} ${id}`, (limit) => create(name, id, limit));
      else await requireIdle(api, existing.instance, signal);
      return requireFound(await find(name, id, signal)).info;
    },
    restore: (name, id, system, _signal) =>
      copies.run(`${name} ${system}`, (limit) => restore(name, id, system, limit)),
    async remove(name, id, signal) {
      await copies.cancel(`${name} ${id}`);
      const place = await find(name, id, signal).catch(ignoreNotFound);
      if (place === undefined) return;
      const { instance } = place;
      await api
        .change('DELETE', `${instancePath(instance)}/snapshots/${encodeURIComponent(id)}`, signal)
        .catch(ignoreNotFound);
      const isCurrent = (await requireInstance(api, name, signal)).name === instance;
      if (!isCurrent && (await listSnapshots(api, instance, signal)).length === 0)
        await removeInstance(api, instance, signal);
    },
    async createTemplate(name, id, template, signal) {
      await copies.run(template, async (limit) => {
        const { instance } = requireFound(await find(name, id, limit));
        await removeTemplate(api, template, limit);
        const source = { type: 'snapshot', name: `${instance}/${id}` };
        await api.change('POST', '/1.0/images', limit, { source, public: false, aliases: [{ name: template }] });
      });
      const { target } = await api.get(aliasPath(template), Alias, signal);
      return (await api.get(imagePath(target), Image, signal)).size;
    },
    async removeTemplate(template, signal) {
      await copies.cancel(template);
      await removeTemplate(api, template, signal);
    },
  };
}

/** LXD freezes a container while it copies files, and other pools copy at one moment: what it has written is complete. */
function snapshotInfo({ name, size }: InstanceSnapshot): SnapshotInfo {
  return {
    id: name.split('/').at(-1)!,
    isConsistent: true,
    sizeBytes: size === undefined || size < 0 ? undefined : size,
  };
}

const aliasPath = (alias: string): string => `/1.0/images/aliases/${encodeURIComponent(alias)}`;
const imagePath = (fingerprint: string): string => `/1.0/images/${encodeURIComponent(fingerprint)}`;

async function removeTemplate(api: LxdApi, template: string, signal: AbortSignal): Promise<void> {
  const alias = await api.find(aliasPath(template), Alias, signal);
  if (alias !== undefined) await api.change('DELETE', imagePath(alias.target), signal).catch(ignoreNotFound);
}
