// A real libvirt for the conformance suites of snapshots and backups: content is written to disks of machines that are off.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import type { BackupFixture } from '#drivers/hypervisor/backup-conformance.ts';
import type { SnapshotFixture } from '#drivers/hypervisor/snapshot-conformance.ts';
import type { LibvirtNode } from './libvirt.ts';

/** The suite writes these. */
const contents = ['before', 'after', 'first'];
const block = '512M 64k';

export function snapshotFixture(node: LibvirtNode, hypervisor: Hypervisor): SnapshotFixture & BackupFixture {
  const diskOf = async (name: string): Promise<string> => {
    const source = await node.virsh('dumpxml', name, '--inactive', '--xpath', "//target[@dev='vda']/../source/@file");
    return source.replace(/^ *file="|"$/g, '');
  };
  const volumePath = async (id: string): Promise<string> =>
    (await node.virsh('vol-path', `${id}.volume`, '--pool', node.pool)).trim();
  const diskIo = async (path: string, command: string): Promise<boolean> => {
    const inside = ['--target', String(await node.daemon()), '--mount', 'qemu-io', '-f', 'qcow2', '-c', command, path];
    const { stdout } = await promisify(execFile)('nsenter', inside).catch((error: { stdout: string }) => error);
    return !/failed|error/i.test(stdout);
  };
  const pattern = (text: string): number => text.charCodeAt(0);
  const write = async (path: string, text: string): Promise<void> => {
    if (!(await diskIo(path, `write -P ${pattern(text)} ${block}`))) throw new Error('the disk was not written');
  };
  const read = async (path: string): Promise<string> => {
    for (const text of contents) if (await diskIo(path, `read -P ${pattern(text)} ${block}`)) return text;
    return '';
  };
  return {
    hypervisor,
    template: node.template,
    shape: { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:12:34:60', networks: [] },
    writeContent: async (name, text) => write(await diskOf(name), text),
    readContent: async (name) => read(await diskOf(name)),
    volume: {
      sizeGb: 1,
      write: async (id, text) => write(await volumePath(id), text),
      read: async (id) => read(await volumePath(id)),
      readSystem: async (id) => read(await volumePath(id)),
    },
    async size(name) {
      const xml = await node.virsh('dumpxml', name, '--inactive');
      const [, kib] = /<memory unit='KiB'>(\d+)/.exec(xml)!;
      const [, vcpus] = /<vcpu[^>]*>(\d+)/.exec(xml)!;
      const [, file] = /<source file='([^']*\.qcow2)'/.exec(xml)!;
      const [, bytes] = /Capacity:\s*(\d+)/.exec(await node.virsh('vol-info', '--bytes', file!))!;
      return { vcpus: Number(vcpus), memoryMb: Number(kib) / 1024, diskGb: Number(bytes) / 2 ** 30 };
    },
    async fill() {
      await node.leaveRoom(4096);
      return { [Symbol.asyncDispose]: () => node.leaveRoom(2 ** 40) };
    },
  };
}
