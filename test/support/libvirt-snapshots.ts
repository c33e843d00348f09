// What the conformance suite of snapshots needs of a real libvirt: content is written to disks of machines that are off.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Hypervisor } from '#drivers/hypervisor/driver.ts';
import type { SnapshotFixture } from '#drivers/hypervisor/snapshot-conformance.ts';
import type { LibvirtNode } from './libvirt.ts';

/** The suite writes these. */
const contents = ['before', 'after'];
const block = '512M 64k';

export function snapshotFixture(node: LibvirtNode, hypervisor: Hypervisor): SnapshotFixture {
  const diskIo = async (name: string, command: string): Promise<boolean> => {
    const source = await node.virsh('dumpxml', name, '--inactive', '--xpath', "//target[@dev='vda']/../source/@file");
    const path = source.replace(/^ *file="|"$/g, '');
    const inside = ['--target', String(await node.daemon()), '--mount', 'qemu-io', '-f', 'qcow2', '-c', command, path];
    const { stdout } = await promisify(execFile)('nsenter', inside).catch((error: { stdout: string }) => error);
    return !/failed|error/i.test(stdout);
  };
  const pattern = (text: string): number => text.charCodeAt(0);
  return {
    hypervisor,
    template: node.template,
    shape: { vcpus: 1, memoryMb: 64, diskGb: 1, mac: '52:54:00:12:34:60', networks: [] },
    async writeContent(name, text) {
      if (!(await diskIo(name, `write -P ${pattern(text)} ${block}`))) throw new Error('the disk was not written');
    },
    async readContent(name) {
      for (const text of contents) if (await diskIo(name, `read -P ${pattern(text)} ${block}`)) return text;
      return '';
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
