// The media listener as part of the process, where the site asks for one.
import { splitListen } from '#app/reload/first-stage.ts';
import { catalogueImages } from '#app/images/catalogue.ts';
import type { Yard } from '#app/yard.ts';
import type { SiteMedia } from '#contract/site-images.ts';
import type { MediaServer } from '#http/files/media.ts';

export async function startMediaDoor(
  yard: Yard,
  media: SiteMedia | undefined,
  portTaken: 'fails' | 'another',
): Promise<MediaServer | undefined> {
  if (media === undefined) return undefined;
  // Loaded only where it is used: a small installation should stay small.
  const { startMediaServer } = await import('#http/files/media.ts');
  const { address: host, port } = splitListen(media.listen);
  const server = await startMediaServer(yard, media, { host, port }).catch((error: NodeJS.ErrnoException) => {
    // The lab's port of last time may be somebody else's by now.
    if (portTaken === 'fails' || error.code !== 'EADDRINUSE') throw error;
    return startMediaServer(yard, media, { host, port: 0 });
  });
  yard.media.url = server.url;
  void fetchImages(yard);
  return server;
}

/** Before a customer asks: an image that is fetched from far away, or read for its digest, takes longer than a call may. */
async function fetchImages(yard: Yard): Promise<void> {
  for (const { source, value } of await catalogueImages(yard.store.queries)) {
    if (source === undefined || yard.stopping.aborted) continue;
    await yard.files
      .find(source)
      .catch((error: unknown) => yard.log.warn({ err: error, image: value }, 'the file of an image is not usable'));
  }
}
