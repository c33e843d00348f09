// Machines of the libvirt driver cannot pose as each other, and leave nothing behind: on Debian's libvirt and QEMU, without
// booting a system.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { libvirtDriver } from '#drivers/hypervisor/libvirt.ts';
import { loadHypervisorRules } from '#test/support/bridge.ts';
import { sendFromTap } from '#test/support/frames.ts';
import { describeIsolation } from '#test/support/isolation-suite.ts';
import { needsLibvirt, startLibvirt } from '#test/support/libvirt.ts';
import { needs } from '#test/support/needs.ts';
import { withResources } from '#test/support/resources.ts';
import { temporaryFolder } from '#test/support/folder.ts';

describeIsolation('machines on one bridge of libvirt', { ...needsLibvirt(), ...needs('perl', 'nft') }, async () => {
  await using owned = new AsyncDisposableStack();
  owned.use(await loadHypervisorRules());
  const node = owned.use(await startLibvirt());
  const folder = owned.use(await temporaryFolder('isolation'));
  const settings = { socket: node.socket, pool: node.pool, bridge: node.bridge, accelerator: 'tcg' as const };
  const card = async (name: string): Promise<string> => node.virsh('dumpxml', name, '--xpath', '//interface');
  const port = async (name: string): Promise<string> => /dev="(vnet\d+)"/.exec(await card(name))![1]!;
  return withResources(owned, {
    hypervisor: owned.use(await libvirtDriver.open(settings)),
    template: node.template,
    shape: { vcpus: 1, memoryMb: 64, diskGb: 1 },
    uplink: node.uplink,
    filters: () => node.virsh('nwfilter-list'),
    passesQuestions: true,
    port,
    send: async (name, sent) => sendFromTap(await port(name), sent),
    async removeFilter(name) {
      const file = join(folder.path, 'card.xml');
      await writeFile(file, (await card(name)).replace(/<filterref .*\/>/, ''));
      await node.virsh('update-device', name, file, '--live', '--config');
    },
  });
});
