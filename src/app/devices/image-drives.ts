// How an image gets into a device: a controller fetches it under a link of ours, a node has it already. One command at a time
// on either.
import { need } from '#drivers/bmc/driver.ts';
import { need as needOfNode } from '#drivers/hypervisor/driver.ts';
import { Fault } from '#kernel/fault.ts';
import type { DeviceImage } from '#store/device-images.ts';
import type { Service } from '#store/services.ts';
import { commandLimit, serverOf, withBmc } from './devices.ts';
import { FileUnusable } from '../reload/file-cache.ts';
import type { CatalogueImage } from './image-catalogue.ts';
import { isMachine, machineOf, withMachine } from '../machines/machines.ts';
import { isMediaLink, newMediaLink } from './media-links.ts';
import type { Context } from '../yard.ts';

export interface ImageDrive {
  /** Whether that image is in which was last on its way, as far as anybody can tell. */
  holds(row: DeviceImage): Promise<boolean>;
  /** How it is to be put in, and what to write down of it before. */
  prepare(image: CatalogueImage): { readonly linkHash: string | null; insert(): Promise<void> };
  eject(): Promise<void>;
}

export function withDrive<T>(
  context: Context,
  service: Service,
  purpose: string,
  work: (drive: ImageDrive) => Promise<T>,
): Promise<T> {
  return isMachine(service)
    ? withMachineDrive(context, service, purpose, work)
    : withServerDrive(context, service, purpose, work);
}

function withServerDrive<T>(
  context: Context,
  service: Service,
  purpose: string,
  work: (drive: ImageDrive) => Promise<T>,
): Promise<T> {
  return withBmc(context, serverOf(service), purpose, async (bmc, signal) => {
    const media = need(bmc, 'media');
    // Asked at once, so that a controller without a drive says so before anything is written down.
    const url = await media.inserted(signal);
    return work({
      holds: async (row) => isIn(row, url),
      prepare(image) {
        const link = newMediaLink(mediaUrl(context), image.value);
        return { linkHash: link.hash, insert: () => media.insert(link.url, signal) };
      },
      eject: () => media.eject(signal),
    });
  });
}

async function withMachineDrive<T>(
  context: Context,
  service: Service,
  purpose: string,
  work: (drive: ImageDrive) => Promise<T>,
): Promise<T> {
  const machine = await machineOf(context, service);
  return withMachine(context, machine, purpose, ({ node, name, signal }) => {
    const media = needOfNode(node, 'media');
    return work({
      // A node is not asked: inserting again what may be in, or taking out what may be out, does no harm.
      holds: async ({ state }) => state === 'Mounted' || state === 'Unmounting',
      prepare: (image) => ({ linkHash: null, insert: () => media.insert(name, placeOnNodes(image), signal) }),
      eject: () => media.eject(name, signal),
    });
  });
}

/** For who only looks: without a turn, since nothing is changed. */
export async function isInDrive(context: Context, service: Service, row: DeviceImage): Promise<boolean> {
  if (isMachine(service)) return row.state === 'Mounted' || row.state === 'Unmounting';
  const limit = commandLimit();
  const url = await context.yard.bmcs.use(serverOf(service), (bmc) => need(bmc, 'media').inserted(limit));
  return isIn(row, url);
}

/** A controller that does not show where its image came from has no other than ours. */
function isIn({ link_hash: hash }: DeviceImage, url: string | undefined): boolean {
  return url !== undefined && hash !== null && (url === '' || isMediaLink(url, hash));
}

function mediaUrl({ yard }: Context): string {
  if (yard.media.url !== undefined) return yard.media.url;
  throw new Fault('capability_missing', {
    message: 'The provider has set up no place for controllers to fetch images.',
  });
}

const noFile = 'The provider has no file for this image yet.';

function placeOnNodes({ onNodes }: CatalogueImage): string {
  if (onNodes === undefined) throw new Fault('not_in_catalogue', { message: noFile });
  return onNodes;
}

/** Longest that a caller waits for a file that is still being fetched or read for its digest. */
const fileMs = 6000;

/** Before a device is touched: that the image can be handed out. */
export async function imageReady(context: Context, service: Service, image: CatalogueImage): Promise<void> {
  if (isMachine(service)) return void placeOnNodes(image);
  mediaUrl(context);
  if (image.source === undefined) throw new Fault('not_in_catalogue', { message: noFile });
  const file = context.yard.files.find(image.source);
  const late = AbortSignal.timeout(fileMs);
  const tooLate = new Promise<never>((_, reject) =>
    late.addEventListener('abort', () =>
      reject(new Fault('state_conflict', { message: 'The image is still being fetched. Try again in a minute.' })),
    ),
  );
  try {
    await Promise.race([file, tooLate]);
  } catch (error) {
    if (!(error instanceof FileUnusable)) throw error;
    context.yard.log.error({ err: error, image: image.value }, 'the file of an image is not usable');
    throw new Fault('not_in_catalogue', { message: noFile, cause: error });
  }
}
