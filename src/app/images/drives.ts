// The virtual drives that ISO images are mounted in. A BMC fetches the image from a link of ours; a hypervisor has it
// already.
import { missingCapability, requireCapability as requireBmcCapability } from '#drivers/bmc/driver.ts';
import { requireCapability } from '#drivers/hypervisor/driver.ts';
import { commandTimeout } from '#equipment/device-command.ts';
import { isMediaLink, newMediaLink } from '#equipment/media-links.ts';
import { ApiError, conflict } from '#lib/api-error.ts';
import type { DeviceImage } from '#store/devices/device-images.ts';
import { machineName } from '#store/devices/machines.ts';
import type { Service } from '#store/devices/services.ts';
import { machineOf, runMachineCommand, type MachineCommand } from '../machines/machines.ts';
import { FileUnusable, findSoon, type LocalFile } from '../reload/file-cache.ts';
import { runBmcCommand, serverOf } from '../servers/servers.ts';
import type { Context } from '../app.ts';
import { catalogueImages, type CatalogueImage } from './catalogue.ts';

export interface DeviceDrive {
  /** Runs a command under the device's lock. Others see `purpose` while they wait. */
  use<T>(purpose: string, command: (drive: LockedDrive) => Promise<T>): Promise<T>;
  /** Reads without the lock. */
  isInserted(row: DeviceImage): Promise<boolean>;
  /** Checks that the image can be served, before the device is touched. */
  prepareFile(image: CatalogueImage): Promise<void>;
}

export interface LockedDrive {
  /** Returns whether the row's image is in the drive. Some devices cannot tell. */
  isInserted(row: DeviceImage): Promise<boolean>;
  /** Returns how to insert the image, and the link's hash to record before doing so. */
  prepare(image: CatalogueImage): { readonly linkHash: string | null; insert(): Promise<void> };
  eject(): Promise<void>;
}

export function machineDrive(context: Context, service: Service): DeviceDrive {
  const isRowInserted = async (
    { image }: DeviceImage,
    { hypervisor, name, signal }: MachineCommand,
  ): Promise<boolean> => {
    const entry = (await catalogueImages(context.queries)).find(({ value }) => value === image);
    return requireCapability(hypervisor, 'media').isInserted(name, entry?.onNodes, signal);
  };
  return {
    use: async (purpose, command) =>
      runMachineCommand(context, await machineOf(context, service), purpose, (machine) => {
        const { hypervisor, name, signal } = machine;
        const media = requireCapability(hypervisor, 'media');
        return command({
          isInserted: (row) => isRowInserted(row, machine),
          prepare: (image) => ({ linkHash: null, insert: () => media.insert(name, hypervisorPath(image), signal) }),
          eject: () => media.eject(name, signal),
        });
      }),
    async isInserted(row) {
      const { node, vmid } = await machineOf(context, service);
      const signal = commandTimeout();
      return context.app.hypervisors.use(node, (hypervisor) =>
        isRowInserted(row, { hypervisor, name: machineName(vmid), signal }),
      );
    },
    prepareFile: async (image) => void hypervisorPath(image),
  };
}

function hypervisorPath({ onNodes }: CatalogueImage): string {
  if (onNodes === undefined) throw noFile();
  return onNodes;
}

export function serverDrive(context: Context, service: Service): DeviceDrive {
  return {
    use: (purpose, command) =>
      runBmcCommand(context, serverOf(service), purpose, async (bmc, signal) => {
        const media = requireBmcCapability(bmc, 'media');
        // Read first, so that a BMC without a drive fails before anything is recorded.
        const url = await media.currentImage(signal);
        return command({
          isInserted: async (row) => isLinkInserted(row, url),
          prepare(image) {
            const link = newMediaLink(mediaUrl(context), image.value);
            return { linkHash: link.hash, insert: () => media.insert(link.url, signal) };
          },
          eject: () => media.eject(signal),
        });
      }),
    async isInserted(row) {
      const url = await context.app.bmcs.use(serverOf(service), (bmc, { commandMs }) =>
        requireBmcCapability(bmc, 'media').currentImage(commandTimeout(undefined, commandMs)),
      );
      return isLinkInserted(row, url);
    },
    async prepareFile(image) {
      await prepareServerFile(context, serverOf(service), image);
    },
  };
}

/** Checks that a server can mount the image, without touching it. */
export async function prepareServerFile(context: Context, server: string, image: CatalogueImage): Promise<LocalFile> {
  mediaUrl(context);
  if (!(await context.app.bmcs.has(server, 'media'))) throw missingCapability('media');
  return fetchFile(context, image);
}

/** A BMC that does not report the source of its image can only have ours. */
function isLinkInserted({ link_hash: hash }: DeviceImage, url: string | undefined): boolean {
  return url !== undefined && hash !== null && (url === '' || isMediaLink(url, hash));
}

function mediaUrl({ app }: Context): string {
  if (app.media.url !== undefined) return app.media.url;
  throw new ApiError('capability_missing', { message: 'ISO images are not set up for dedicated servers.' });
}

async function fetchFile({ app }: Context, image: CatalogueImage): Promise<LocalFile> {
  if (image.source === undefined) throw noFile();
  const files = await findSoon(app.files, [image.source]).catch((error: unknown) => {
    if (!(error instanceof FileUnusable)) throw error;
    app.log.error({ err: error, image: image.value }, "an image's file is unusable");
    throw noFile(error);
  });
  if (files === undefined) throw conflict('The image is still being downloaded. Try again in a minute.');
  return files[0]!;
}

function noFile(cause?: unknown): ApiError {
  return new ApiError('not_in_catalogue', { message: 'The provider has no file for this image yet.', cause });
}
