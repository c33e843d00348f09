// The driver of nodes that run libvirt with QEMU: full machines. It speaks libvirt's own protocol (wire/libvirt) over one
// connection that is kept.
import type { Hypervisor, HypervisorDriver } from './driver.ts';
import { libvirtClient } from '#wire/libvirt/client.ts';
import { guestOf } from './libvirt/agent.ts';
import { machinesOf } from './libvirt/machines.ts';
import { bootOf, mediaOf, powerOf } from './libvirt/power.ts';
import { screenOf, textOf } from './libvirt/screen.ts';
import { openSession } from './libvirt/session.ts';
import { defaults, LibvirtSettings } from './libvirt/settings.ts';
import { openStorage } from './libvirt/storage.ts';

export const libvirtDriver: HypervisorDriver<typeof LibvirtSettings> = {
  name: 'libvirt',
  settings: LibvirtSettings,
  kinds: ['Xen'],
  open: async (settings) => nodeOf(settings),
};

function nodeOf(settings: LibvirtSettings): Hypervisor {
  const client = libvirtClient({ socket: settings.socket, uri: 'qemu:///system' });
  const session = openSession(client);
  const storage = openStorage(session, settings.pool);
  const images = settings.images ?? settings.templates ?? settings.pool;
  const pathOf = async (image: string, signal: AbortSignal): Promise<string> =>
    image.startsWith('/') ? image : storage.pathOf(image, images, signal);
  return {
    ...machinesOf(session, storage, settings),
    power: powerOf(session),
    guest: guestOf(session),
    media: mediaOf(session, pathOf),
    boot: bootOf(session),
    screen: screenOf(session, settings.screenAddress ?? defaults.screenAddress),
    text: textOf(session),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
