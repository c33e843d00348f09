// The virtual drive of a server's controller, which fetches its image under a link of ours.
import { need } from '#drivers/bmc/driver.ts';
import { Fault } from '#kernel/fault.ts';
import type { DeviceImage } from '#store/devices/device-images.ts';
import type { Service } from '#store/devices/services.ts';
import type { CatalogueImage } from '../images/catalogue.ts';
import { noFile, type DeviceDrive } from '../images/drive.ts';
import { isMediaLink, newMediaLink } from '../images/media-links.ts';
import { FileUnusable } from '../reload/file-cache.ts';
import { commandLimit } from '../services/command-limit.ts';
import type { Context } from '../yard.ts';
import { serverOf, withBmc } from './servers.ts';

export function serverDrive(context: Context, service: Service): DeviceDrive {
  return {
    use: (purpose, work) =>
      withBmc(context, serverOf(service), purpose, async (bmc, signal) => {
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
      }),
    async isIn(row) {
      const limit = commandLimit();
      const url = await context.yard.bmcs.use(serverOf(service), (bmc) => need(bmc, 'media').inserted(limit));
      return isIn(row, url);
    },
    async ready(image) {
      mediaUrl(context);
      await fileReady(context, image);
    },
  };
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

/** Longest that a caller waits for a file that is still being fetched or read for its digest. */
const fileMs = 6000;

async function fileReady(context: Context, image: CatalogueImage): Promise<void> {
  if (image.source === undefined) throw noFile();
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
    throw noFile(error);
  }
}
