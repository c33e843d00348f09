// Driver for hypervisors that run QEMU under libvirt. Speaks libvirt's RPC protocol over one persistent connection.
import type { Hypervisor, HypervisorDriver } from './driver.ts';
import { libvirtClient } from '#protocols/libvirt/client.ts';
import { createGuest } from './libvirt/agent.ts';
import { createMachines } from './libvirt/machines.ts';
import { findAcceleratorProblems } from './libvirt/accelerator.ts';
import { createBoot, createMedia, createPower } from './libvirt/power.ts';
import { createVncConsole, createTextConsole } from './libvirt/console.ts';
import { openSession } from './libvirt/session.ts';
import { defaults, LibvirtSettings } from './libvirt/settings.ts';
import { openStorage } from './libvirt/storage.ts';

export const libvirtDriver: HypervisorDriver<typeof LibvirtSettings> = {
  settings: LibvirtSettings,
  kinds: ['Xen'],
  open: async (settings) => openLibvirt(settings),
};

function openLibvirt(settings: LibvirtSettings): Hypervisor {
  const client = libvirtClient({ socket: settings.socket, uri: 'qemu:///system' });
  const session = openSession(client);
  const storage = openStorage(session, settings.pool);
  const images = settings.images ?? settings.templates ?? settings.pool;
  const imagePath = async (image: string, signal: AbortSignal): Promise<string> =>
    image.startsWith('/') ? image : storage.pathOf(image, images, signal);
  return {
    ...createMachines(session, storage, settings),
    power: createPower(session),
    guest: createGuest(session),
    media: createMedia(session, imagePath),
    boot: createBoot(session),
    vnc: createVncConsole(session, settings.screenAddress ?? defaults.screenAddress),
    text: createTextConsole(session),
    findHostProblems: (signal) => findAcceleratorProblems(session, settings.accelerator, signal),
    [Symbol.asyncDispose]: () => client.close(),
  };
}
