// Starts the media listener if the site file has one.
import { splitListen } from '#app/reload/first-stage.ts';
import { catalogueImages } from '#app/images/catalogue.ts';
import type { App } from '#app/app.ts';
import type { SiteMedia } from '#contract/site/images.ts';
import type { MediaServer } from '#http/files/media-server.ts';

export async function startMediaListener(
  app: App,
  media: SiteMedia | undefined,
  ifPortTaken: 'fail' | 'useAnother',
): Promise<MediaServer | undefined> {
  if (media === undefined) return undefined;
  // Loaded on demand, to keep small installations small.
  const { startMediaServer } = await import('#http/files/media-server.ts');
  const { address: host, port } = splitListen(media.listen);
  const server = await startMediaServer(app, media, { host, port }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have taken the lab's previous port.
    if (ifPortTaken === 'fail' || error.code !== 'EADDRINUSE') throw error;
    return startMediaServer(app, media, { host, port: 0 });
  });
  app.media.url = server.url;
  void fetchImages(app);
  return server;
}

/** Fetches images in advance: downloading or hashing one takes longer than a request may. */
async function fetchImages(app: App): Promise<void> {
  for (const { source, value } of await catalogueImages(app.store.queries)) {
    if (source === undefined || app.stopping.aborted) continue;
    await app.files
      .find(source)
      .catch((error: unknown) => app.log.warn({ err: error, image: value }, 'the file of an image is unusable'));
  }
}
