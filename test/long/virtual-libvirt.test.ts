// The libvirt driver in the conformance suite of hypervisor drivers, on Debian's libvirt and QEMU: a machine really
// boots a template, accepts a login on its serial line, reads the image in its drive, is reinstalled and shuts down.
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { describeHypervisorDriver } from '#drivers/hypervisor/conformance.ts';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { isoImage, readIsoImage } from '#drivers/hypervisor/libvirt/iso9660.ts';
import { needsLibvirt, startLibvirt } from '#test/support/libvirt.ts';
import { runInside } from '#test/support/serial-login.ts';

interface NetworkConfig {
  readonly ethernets: { readonly primary: { readonly addresses: readonly string[] } };
}
const imageText = 'read from the drive';

describeHypervisorDriver('the libvirt driver on libvirt and QEMU', needsLibvirt(), async () => {
  const node = await startLibvirt();
  await writeFile(node.image, isoImage('image', { 'image-text': imageText }));
  const settings = { socket: node.socket, pool: node.pool, bridge: node.bridge, accelerator: 'tcg' as const };
  const witness = await libvirtDriver.open(settings);
  const readSeed = async (name: string): Promise<Record<string, string>> => {
    const source = await node.virsh('dumpxml', name, '--xpath', "//target[@dev='hdb']/../source/@file");
    const copy = `${node.image}.copy`;
    await node.virsh('vol-download', '--vol', source.replace(/^ *file="|"$/g, ''), '--file', copy);
    return readIsoImage(await readFile(copy))!;
  };
  return {
    open: async (access) =>
      libvirtDriver.open(access === 'provider' ? settings : { ...settings, socket: `${node.socket}-nobody` }),
    shape: { vcpus: 1, memoryMb: 128, diskGb: 1, mac: '52:54:00:12:34:56', networks: ['192.0.2.10/32'] },
    tooLarge: { memoryMb: 2 ** 24, diskGb: 100 },
    template: node.template,
    image: node.image,
    lacks: ['tun'],
    power: (name) =>
      node.virsh('domstate', name).then(
        (state) => (state === 'shut off' ? 'off' : 'on'),
        () => 'absent',
      ),
    async systems(name) {
      const names = (await node.virsh('vol-list', node.pool)).split('\n').map((line) => line.trim().split(/\s+/)[0]!);
      const ids = names.filter((volume) => volume.startsWith(`${name}.`)).map((each) => each.split('.')[1]!);
      return [...new Set(ids)];
    },
    async bootAddresses(name) {
      const { ethernets } = parse((await readSeed(name))['network-config']!) as NetworkConfig;
      return ethernets.primary.addresses.map((address) => address.split('/')[0]!);
    },
    async sshKeys(name) {
      const { 'public-keys': keys = [] } = parse((await readSeed(name))['meta-data']!) as Record<string, string[]>;
      return keys;
    },
    // The rules that allow a block contain nothing but its address.
    async networks(name) {
      const filter = await node.virsh('nwfilter-dumpxml', name);
      const allowed = filter.matchAll(/<ip(?:v6)? srcipaddr='([^']*)' srcipmask='(\d+)'\/>/g);
      return Array.from(allowed, ([, address, length]) => `${address}/${length}`).filter(
        (each) => !each.startsWith('fe80'),
      );
    },
    hostnameAfterLogin: (name, password) => runInside(witness, name, password, 'hostname'),
    // Returns what libvirt reports as inserted, if the machine itself can read it.
    async insertedImage(name) {
      const drive = (await node.virsh('domblklist', name)).split('\n').find((line) => line.trim().startsWith('hda'));
      const [, file] = drive?.trim().split(/\s+/) ?? [];
      // The first read after a media change reports the change and fails.
      const mount = 'mount -t iso9660 -o ro /dev/sr0 /mnt';
      const read = await node.runByAgent(name, `${mount} || ${mount}; cat /mnt/image-text; umount /mnt`);
      return read.includes(imageText) ? file : undefined;
    },
    async bootedFrom(name) {
      const device = await node.virsh('dumpxml', name, '--xpath', '//boot[@order=1]/..');
      return device.includes('<interface') ? 'pxe' : /dev=.hda/.test(device) ? 'cdrom' : 'disk';
    },
    tun: async () => 'disabled',
    async fill() {
      await node.leaveRoom(2 ** 20);
      return { [Symbol.asyncDispose]: () => node.leaveRoom(2 ** 40) };
    },
    restart: () => node.restart(),
    async [Symbol.asyncDispose]() {
      await witness[Symbol.asyncDispose]();
      await node[Symbol.asyncDispose]();
    },
  };
});
