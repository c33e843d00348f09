// Virtual media over Redfish: the drive for discs, which stands under the system or under its manager. Services of today have
// actions for it, early ones are changed by PATCH.
import { Fault } from '#kernel/fault.ts';
import { missing, type VirtualMedia } from '../driver.ts';
import type { Resource } from './client.ts';
import { RedfishError, told } from './error.ts';
import { linkIn, textIn, textsIn } from './json.ts';
import { actionOf, shows, type RedfishService } from './service.ts';

const discTypes = new Set(['CD', 'DVD']);
const lacksMethod = new Set([405, 501]);

export function mediaOf(service: RedfishService): VirtualMedia {
  const { client } = service;
  let known: string | undefined;

  async function find(signal: AbortSignal): Promise<Resource> {
    const places = [await service.system(signal), await service.manager(signal)];
    for (const place of places) {
      const slots = await service.members(place && linkIn(place.body, 'VirtualMedia'), signal);
      const disc = slots.find(({ body }) => textsIn(body, 'MediaTypes')?.some((type) => discTypes.has(type)));
      if (disc === undefined) continue;
      known = disc.path;
      return disc;
    }
    throw missing('media');
  }

  async function drive(signal: AbortSignal): Promise<Resource> {
    if (known === undefined) return find(signal);
    return client.get(known, signal).catch((error: unknown) => {
      if (error instanceof RedfishError && error.status === 404) return find(signal);
      throw error;
    });
  }

  async function load(slot: Resource, url: string, signal: AbortSignal): Promise<void> {
    const action = actionOf(slot, 'VirtualMedia.InsertMedia');
    try {
      if (action === undefined) await client.patch(slot.path, () => ({ Image: url, Inserted: true }), signal);
      else await client.post(action.target, { Image: url }, signal);
    } catch (error) {
      // What a controller cannot fetch it says in many ways; to the caller they are one.
      if (!(error instanceof RedfishError) || error.kind !== 'rejected' || lacksMethod.has(error.status ?? 0))
        throw error;
      throw new Fault('bmc_error', {
        message: 'The controller could not load the image.',
        internal: [error.message, ...error.messages].join(' '),
        cause: error,
      });
    }
  }

  async function eject(slot: Resource, signal: AbortSignal): Promise<void> {
    const action = actionOf(slot, 'VirtualMedia.EjectMedia');
    if (action === undefined) await client.patch(slot.path, () => ({ Image: null, Inserted: false }), signal);
    else await client.post(action.target, {}, signal);
    const gone = async (): Promise<boolean> => imageIn(await drive(signal)) === undefined;
    await shows(gone, signal, 'The controller took the command, but the image is still in the drive.');
  }

  return {
    inserted: (signal) => told('media', async () => imageIn(await drive(signal))),
    eject: (signal) =>
      told('media', async () => {
        const slot = await drive(signal);
        if (imageIn(slot) !== undefined) await eject(slot, signal);
      }),
    insert: (url, signal) =>
      told('media', async () => {
        const slot = await drive(signal);
        const before = imageIn(slot);
        if (before === url) return;
        if (before !== undefined) await eject(slot, signal);
        await load(slot, url, signal);
        const isIn = async (): Promise<boolean> => imageIn(await drive(signal)) !== undefined;
        // Some take half a minute to connect to it. What becomes of it is not known then, as with one that fell silent.
        await shows(
          isIn,
          signal,
          'The controller took the image, but has not shown it in the drive yet. Look at the state before trying again.',
          'bmc_unreachable',
        );
      }),
  };
}

/** Services show where an image came from in their own ways, some not at all; that there is one is what counts. */
function imageIn({ body }: Resource): string | undefined {
  return body['Inserted'] === true ? (textIn(body, 'Image') ?? '') : undefined;
}
