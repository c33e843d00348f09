// A storage pool of libvirt whose volumes are partitions of a loop device: a new volume shows what its blocks held before.
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { runAtEnd } from './at-end.ts';
import { temporaryFolder } from './folder.ts';
import type { LibvirtNode } from './libvirt.ts';
import { withResources } from './resources.ts';

export interface BlockPool extends AsyncDisposable {
  /** Creates the only volume and returns its path. */
  makeVolume(): Promise<string>;
  removeVolume(): Promise<void>;
}

const diskBytes = 64 * 2 ** 20;
const run = async (program: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(program, args)).stdout.trim();

export async function makeBlockPool({ virsh }: LibvirtNode): Promise<BlockPool> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('blocks'));
  const file = `${folder.path}/disk`;
  await writeFile(file, '');
  await truncate(file, diskBytes);
  const loop = (await run('losetup', '--find', '--show', file)).replace('/dev/', '');
  // libvirt cannot delete a partition of a disk whose name ends in a digit, so the disk gets another name.
  const disk = `/dev/hyd${randomInt(36 ** 6).toString(36)}x`;
  const volume = `${disk}1`;
  owned.defer(runAtEnd(`rm -f ${disk} ${volume}; partx --delete /dev/${loop}; losetup --detach /dev/${loop}`));
  const makeNode = async (path: string, device: string): Promise<void> => {
    const [major, minor] = (await readFile(`/sys/class/block/${device}/dev`, 'utf8')).trim().split(':');
    await rm(path, { force: true });
    await run('mknod', path, 'b', major!, minor!);
  };
  await makeNode(disk, loop);
  const pool = `blocks-${loop}`;
  await virsh('pool-define-as', pool, 'disk', '--source-dev', disk, '--source-format', 'gpt', '--target', '/dev');
  await virsh('pool-build', pool, '--overwrite');
  await virsh('pool-start', pool);
  return withResources(owned, {
    async makeVolume() {
      await run('parted', '--script', disk, 'mkpart', 'volume', '1MiB', '9MiB');
      await makeNode(volume, `${loop}p1`);
      await virsh('pool-refresh', pool);
      return volume;
    },
    removeVolume: async () => void (await virsh('vol-delete', volume)),
  });
}
