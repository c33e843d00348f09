// Volumes of customers as custom storage volumes. The machine's profile has one as a device with the volume's id, so every
// system of the machine has it.
import { Type } from 'typebox';
import { conflict } from '#lib/api-error.ts';
import { bytesPerGb } from '../driver.ts';
import type { VolumeInfo, Volumes } from '../volumes.ts';
import { noCapacity, type LxdApi } from './api.ts';
import { readFreeCapacity } from './capacity.ts';
import { memberOf, parseSize, Profile, profilePath, targetOf, volumeDevices } from './instances.ts';
import { ensureProfile, ignoreNotFound, requireInstance } from './machines.ts';

const Volume = Type.Object({
  config: Type.Record(Type.String(), Type.String()),
  used_by: Type.Union([Type.Array(Type.String()), Type.Null()]),
  location: Type.Optional(Type.String()),
});

export function createVolumes(api: LxdApi, pool: string): Volumes {
  const poolPath = `/1.0/storage-pools/${encodeURIComponent(pool)}/volumes/custom`;
  const volumePath = (id: string): string => `${poolPath}/${encodeURIComponent(id)}`;
  const find = (id: string, signal: AbortSignal) => api.find(volumePath(id), Volume, signal);
  const sizeOf = async (id: string, signal: AbortSignal): Promise<number> =>
    (parseSize((await api.get(volumePath(id), Volume, signal)).config['size']) ?? 0) / bytesPerGb;
  const requireRoom = async (sizeGb: number, signal: AbortSignal): Promise<void> => {
    const { diskGb } = await readFreeCapacity(api, pool, signal);
    if (diskGb < sizeGb) throw noCapacity(`${diskGb} GiB are free`);
  };
  const setDevices = async (machine: string, profile: Profile, devices: Profile['devices'], signal: AbortSignal) => {
    const { config, description = '' } = profile;
    await api.change('PUT', profilePath(machine), signal, { config, description, devices });
  };

  return {
    async list(machine, signal) {
      const { expanded_devices } = await requireInstance(api, machine, signal);
      const volumes: VolumeInfo[] = [];
      for (const id of volumeDevices(expanded_devices)) volumes.push({ id, sizeGb: await sizeOf(id, signal) });
      return volumes;
    },
    async create({ id, sizeGb }, machine, signal) {
      if ((await find(id, signal)) !== undefined) return;
      const target = targetOf(await requireInstance(api, machine, signal));
      await requireRoom(sizeGb, signal);
      const volume = { name: id, content_type: 'filesystem', config: { size: `${sizeGb}GiB` } };
      await api.change('POST', `${poolPath}${target}`, signal, volume);
    },
    async attach(id, machine, signal) {
      const volume = await api.get(volumePath(id), Volume, signal);
      const instance = await requireInstance(api, machine, signal);
      if (memberOf(volume).member !== memberOf(instance).member)
        throw conflict('The volume is on another member of the cluster than the machine.');
      const profile = await ensureProfile(api, machine, signal);
      if (profile.devices[id] !== undefined) return;
      const device = { type: 'disk', pool, source: id, path: `/mnt/${id}` };
      await setDevices(machine, profile, { ...profile.devices, [id]: device }, signal);
    },
    async detach(id, machine, signal) {
      const profile = await api.find(profilePath(machine), Profile, signal);
      if (profile?.devices[id] === undefined) return;
      const { [id]: _, ...others } = profile.devices;
      await setDevices(machine, profile, others, signal);
    },
    async grow({ id, sizeGb }, _machine, signal) {
      const current = await sizeOf(id, signal);
      if (current >= sizeGb) return;
      await requireRoom(sizeGb - current, signal);
      await api.change('PATCH', volumePath(id), signal, { config: { size: `${sizeGb}GiB` } });
    },
    async remove(id, signal) {
      const volume = await find(id, signal);
      if (volume === undefined) return;
      if ((volume.used_by ?? []).length > 0) throw conflict('The volume is attached to a machine. Detach it first.');
      await api.change('DELETE', volumePath(id), signal).catch(ignoreNotFound);
    },
  };
}
