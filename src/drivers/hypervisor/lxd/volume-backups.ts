// Backups of volumes through LXD's own, and volumes from the content of a container. LXD imports only archives that it could have
// written itself, so the root file system of a container is renamed to that of a volume as it passes.
import { Type } from 'typebox';
import { ApiError } from '#lib/api-error.ts';
import type { BackgroundWork } from '../background-work.ts';
import type { MachineBackups } from '../backups.ts';
import type { Volumes } from '../volumes.ts';
import { rewriteTar } from '../tar-rewrite.ts';
import type { LxdApi } from './api.ts';
import { backupSettings, namedHeaders } from './backup-requests.ts';
import { readFreeCapacity } from './capacity.ts';
import { targetOf, powerState } from './instances.ts';
import { ignoreNotFound, requireInstance } from './machines.ts';
import { requireIdle } from './operations.ts';

const Backup = Type.Object({ name: Type.String() });
const rootFolder = 'backup/container/rootfs';
const volumeFolder = 'backup/volume';

export function createVolumeBackups(
  api: LxdApi,
  pool: string,
  volumes: Volumes,
  copies: BackgroundWork,
): Pick<MachineBackups, 'copyVolume' | 'readVolume' | 'discardVolume' | 'createVolume'> {
  const poolPath = `/1.0/storage-pools/${encodeURIComponent(pool)}/volumes/custom`;
  const volumePath = (volume: string): string => `${poolPath}/${encodeURIComponent(volume)}`;
  const backupPath = (volume: string, id: string): string => `${volumePath(volume)}/backups/${encodeURIComponent(id)}`;
  return {
    async copyVolume(volume, machine, id, signal) {
      const isConsistent = powerState(await requireInstance(api, machine, signal)) === 'off';
      if ((await api.find(backupPath(volume, id), Backup, signal)) === undefined)
        await copies.run(`${volume} ${id}`, async (limit) => {
          const request = { ...backupSettings(id), volume_only: true };
          await api.change('POST', `${volumePath(volume)}/backups`, limit, request);
        });
      else await requireIdle(api, volume, signal);
      return { isConsistent };
    },
    async *readVolume(volume, id, signal) {
      if ((await api.find(backupPath(volume, id), Backup, signal)) === undefined)
        throw new ApiError('not_found', { internal: `${volume} has no backup ${id}` });
      yield* api.download(`${backupPath(volume, id)}/export`, signal);
    },
    async discardVolume(volume, _machine, id, signal) {
      await copies.cancel(`${volume} ${id}`);
      await api.change('DELETE', backupPath(volume, id), signal).catch(ignoreNotFound);
    },
    async createVolume({ id, sizeGb }, machine, of, content, signal) {
      const target = targetOf(await requireInstance(api, machine, signal));
      await volumes.remove(id, signal);
      const { diskGb } = await readFreeCapacity(api, pool, signal);
      if (diskGb < sizeGb)
        throw new ApiError('nothing_free', { message: 'The hypervisor has no disk space for this volume.' });
      const archive = of === 'volume' ? content : toVolumeArchive(content, id, pool);
      await api.upload(`${poolPath}${target}`, namedHeaders({ name: id }), archive, signal);
      await api.change('PATCH', volumePath(id), signal, { config: { size: `${sizeGb}GiB` } });
    },
  };
}

/** The name and the pool in its index are replaced by those of the request. */
function toVolumeArchive(content: AsyncIterable<Buffer>, id: string, pool: string): AsyncIterable<Buffer> {
  const index = {
    name: id,
    backend: 'dir',
    pool,
    optimized: false,
    optimized_header: false,
    type: 'custom',
    config: { volume: { name: id, type: 'custom', content_type: 'filesystem', description: '', config: {} } },
  };
  const rename = (path: string): string | undefined =>
    path === rootFolder || path.startsWith(`${rootFolder}/`)
      ? `${volumeFolder}${path.slice(rootFolder.length)}`
      : undefined;
  // YAML includes JSON.
  return rewriteTar(content, rename, { 'backup/index.yaml': JSON.stringify(index) });
}
