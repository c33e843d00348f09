// Driver for hypervisors that run QEMU under libvirt. Speaks libvirt's RPC protocol over one persistent connection.
import type { MachineNames } from './adoption.ts';
import type { Hypervisor, HypervisorDriver } from './driver.ts';
import { libvirtClient } from '#protocols/libvirt/client.ts';
import { createAdoption, findReinstallProblems } from './libvirt/adoption.ts';
import { createGuest } from './libvirt/agent.ts';
import { createBackups } from './libvirt/backups.ts';
import { createMigration } from './libvirt/migration.ts';
import { createMachines } from './libvirt/machines.ts';
import { findAcceleratorProblems } from './libvirt/accelerator.ts';
import { findPlatformProblems } from './libvirt/platform.ts';
import { createBoot, createMedia, createPower } from './libvirt/power.ts';
import { createVncConsole, createTextConsole } from './libvirt/console.ts';
import { openSession } from './libvirt/session.ts';
import { defaults, LibvirtSettings } from './libvirt/settings.ts';
import { createSnapshots } from './libvirt/snapshots.ts';
import { openStorage } from './libvirt/storage.ts';
import { openVolumeContent } from './libvirt/volume-content.ts';
import { createVolumes } from './libvirt/volumes.ts';

export const libvirtDriver: HypervisorDriver<typeof LibvirtSettings> = {
  settings: LibvirtSettings,
  kinds: ['Xen'],
  open: async (settings, names) => openLibvirt(settings, names),
};

function openLibvirt(settings: LibvirtSettings, names: MachineNames | undefined): Hypervisor {
  const client = libvirtClient({ socket: settings.socket, uri: 'qemu:///system' });
  const session = openSession(client, names);
  const storage = openStorage(session, settings.pool);
  const snapshots = createSnapshots(session, storage);
  const volumes = createVolumes(session, storage);
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
    adoption: createAdoption(session),
    volumes,
    snapshots,
    backups: createBackups(session, storage, snapshots, volumes, openVolumeContent(session, settings.pool)),
    migration: createMigration(session, storage, settings, imagePath),
    findHostProblems: (signal) => findAcceleratorProblems(session, settings.accelerator, signal),
    async findPlatformProblems(platform, name, signal) {
      if (name === undefined) return findPlatformProblems(session, settings.accelerator, platform, undefined, signal);
      const machine = await session.describe(await session.domain(name, signal), 'persistent', signal);
      return [
        ...findReinstallProblems(name, machine),
        ...(await findPlatformProblems(session, settings.accelerator, platform, machine, signal)),
      ];
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
