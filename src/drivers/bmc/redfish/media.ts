// Virtual media over Redfish. The CD drive belongs to the system or to its manager; current services have actions for
// it, early ones use PATCH.
import { ApiError } from '#lib/api-error.ts';
import { missingCapability, type VirtualMedia } from '../driver.ts';
import { waitUntilShown } from '../wait-until-shown.ts';
import type { Resource } from './client.ts';
import { RedfishError, withApiErrors } from './error.ts';
import { getLink, getText, getTexts } from './json.ts';
import { cachedResource, findAction, type RedfishService } from './service.ts';

const discTypes = new Set(['CD', 'DVD', 'CD/DVD']);
const lacksMethod = new Set([405, 501]);

export function createMedia(service: RedfishService): VirtualMedia {
  const { client } = service;
  const drive = cachedResource(client, async (signal) => {
    const parents = [await service.system(signal), await service.manager(signal)];
    for (const parent of parents) {
      const slots = await service.members(parent && getLink(parent.body, 'VirtualMedia'), signal);
      const disc = slots.find(({ body }) => getTexts(body, 'MediaTypes')?.some((type) => discTypes.has(type)));
      if (disc !== undefined) return disc;
    }
    throw missingCapability('media');
  });

  async function load(slot: Resource, url: string, signal: AbortSignal): Promise<void> {
    const action = findAction(slot, 'VirtualMedia.InsertMedia');
    try {
      if (action === undefined) await client.patch(slot.path, () => ({ Image: url, Inserted: true }), signal);
      else await insertMedia(action.target, url, signal);
    } catch (error) {
      // BMCs report an image that they cannot fetch in many ways; callers get one.
      if (!(error instanceof RedfishError) || error.kind !== 'rejected' || lacksMethod.has(error.status ?? 0))
        throw error;
      const message = 'The BMC could not load the image.';
      throw new ApiError('bmc_error', { message, internal: error.summary, cause: error });
    }
  }

  /** The image's URL is enough for most services. Others want parameters that are optional in the schema. */
  async function insertMedia(target: string, url: string, signal: AbortSignal): Promise<void> {
    const complete = {
      Image: url,
      TransferProtocolType: new URL(url).protocol.slice(0, -1).toUpperCase(),
      TransferMethod: 'Stream',
    };
    if ((await service.behaviour(signal)).mediaNeedsTransfer === true) return client.post(target, complete, signal);
    try {
      return await client.post(target, { Image: url }, signal);
    } catch (error) {
      if (!(error instanceof RedfishError) || error.kind !== 'rejected' || error.status !== 400) throw error;
      return client.post(target, complete, signal);
    }
  }

  async function eject(slot: Resource, signal: AbortSignal): Promise<void> {
    const action = findAction(slot, 'VirtualMedia.EjectMedia');
    if (action === undefined) await client.patch(slot.path, () => ({ Image: null, Inserted: false }), signal);
    else await client.post(action.target, {}, signal);
    const isEmpty = async (): Promise<boolean> => imageOf(await drive(signal)) === undefined;
    await waitUntilShown(isEmpty, signal, 'The BMC accepted the command, but the image is still in the drive.');
  }

  return withApiErrors<VirtualMedia>('media', {
    currentImage: async (signal) => imageOf(await drive(signal)),
    async eject(signal) {
      const slot = await drive(signal);
      if (imageOf(slot) !== undefined) await eject(slot, signal);
    },
    async insert(url, signal) {
      const slot = await drive(signal);
      const current = imageOf(slot);
      if (current === url) return;
      if (current !== undefined) await eject(slot, signal);
      await load(slot, url, signal);
      const isInserted = async (): Promise<boolean> => imageOf(await drive(signal)) !== undefined;
      // Some BMCs need half a minute to connect. After that, the outcome is unknown, as with an unresponsive one.
      await waitUntilShown(
        isInserted,
        signal,
        'The BMC accepted the image, but does not show it in the drive yet. Check the state before you try again.',
        'bmc_unreachable',
      );
    },
  });
}

/** Services report the URL differently or not at all; only the presence of an image is reliable. */
function imageOf({ body }: Resource): string | undefined {
  return body['Inserted'] === true ? (getText(body, 'Image') ?? '') : undefined;
}
