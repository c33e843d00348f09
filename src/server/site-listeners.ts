// Starts the VNC listener and the media listener, if the site file has them.
import { splitListen } from '#app/reload/first-stage.ts';
import { catalogueImages } from '#app/images/catalogue.ts';
import type { App } from '#app/app.ts';
import type { SiteMedia } from '#contract/site/images.ts';
import type { SiteScreens } from '#contract/site/machines.ts';
import { startVncProxy, type VncProxy } from '#http/consoles/vnc-proxy.ts';
import type { MediaServer } from '#http/files/media-server.ts';
import { startOnPort } from '#lab/equipment.ts';
import type { ListenAddress } from '#lib/config.ts';

/** Another process may have taken the port that the lab had before. */
type IfPortTaken = 'fail' | 'useAnother';

export async function startVncListener(
  app: App,
  site: SiteScreens | undefined,
  ifPortTaken: IfPortTaken,
): Promise<VncProxy | undefined> {
  if (site?.listen === undefined) return undefined;
  const proxy = await startAt(site.listen, ifPortTaken, (listen) => startVncProxy(app, listen));
  app.vncListeners.address = { host: proxy.address, port: proxy.port };
  return proxy;
}

export async function startMediaListener(
  app: App,
  media: SiteMedia | undefined,
  ifPortTaken: IfPortTaken,
): Promise<MediaServer | undefined> {
  if (media === undefined) return undefined;
  // Loaded on demand, to keep small installations small.
  const { startMediaServer } = await import('#http/files/media-server.ts');
  const server = await startAt(media.listen, ifPortTaken, (listen) => startMediaServer(app, media, listen));
  app.media.url = server.url;
  void fetchImages(app);
  return server;
}

function startAt<Server>(
  listen: string,
  ifPortTaken: IfPortTaken,
  start: (listen: ListenAddress) => Promise<Server>,
): Promise<Server> {
  const { address: host, port } = splitListen(listen);
  const startOn = (chosenPort: number): Promise<Server> => start({ host, port: chosenPort });
  return ifPortTaken === 'fail' ? startOn(port) : startOnPort(port, startOn);
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
