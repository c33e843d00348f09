// Starts the listeners that a site file can have: the name server, VNC, the console gateway, media.
import { setTimeout as sleep } from 'node:timers/promises';
import { catalogueImages } from '#app/images/catalogue.ts';
import type { App } from '#app/app.ts';
import { parsePorts } from '#app/servers/console-gateway.ts';
import type { SiteConsoles } from '#contract/site/consoles.ts';
import type { SiteMedia } from '#contract/site/images.ts';
import type { SiteScreens } from '#contract/site/machines.ts';
import type { SiteNameServer } from '#contract/site/name-server.ts';
import { startConsoleForwards } from '#http/consoles/console-forwards.ts';
import { startVncProxy, type VncProxy } from '#http/consoles/vnc-proxy.ts';
import { startWebConsoleProxy } from '#http/consoles/web-console-proxy.ts';
import type { MediaServer } from '#http/files/media-server.ts';
import { startOnPort } from '#lab/start-on-port.ts';
import { hostAndPort, splitListen, type ListenAddress } from '#lib/config.ts';

/** Another process may have taken the port that the lab had before. */
type IfPortTaken = 'fail' | 'useAnother';

/** Returns where the built-in name server listens, if there is one. */
export function openNameServer(
  { nameService }: Pick<App, 'nameService'>,
  site: SiteNameServer | undefined,
  ifPortTaken: IfPortTaken,
): ReturnType<App['nameService']['open']> {
  if (site?.listen === undefined) return nameService.open(site);
  return startAt(site.listen, ifPortTaken, (listen) => nameService.open({ ...site, listen: hostAndPort(listen) }));
}

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

export interface ConsoleListeners extends AsyncDisposable {
  readonly ports: readonly number[];
  readonly webPort?: number;
}

export async function startConsoleListeners(
  app: App,
  site: SiteConsoles | undefined,
  { ifPortTaken, trustedProxies }: { ifPortTaken: IfPortTaken; trustedProxies: readonly string[] },
): Promise<ConsoleListeners | undefined> {
  if (site === undefined) return undefined;
  await using started = new AsyncDisposableStack();
  const listen = ifPortTaken === 'fail' ? startExactly : startOnPort;
  const { address, ports } = started.use(
    await startConsoleForwards(app, site.address, parsePorts(site.ports) ?? [], listen),
  );
  app.consoleGateway.forwards = { host: site.host ?? address, ports };
  const { web } = site;
  const proxy =
    web &&
    started.use(
      await startAt(web.listen, ifPortTaken, (at) => startWebConsoleProxy(app, at, { ...web, trustedProxies })),
    );
  const owned = started.move();
  return { ports, ...(proxy && { webPort: proxy.port }), [Symbol.asyncDispose]: () => owned.disposeAsync() };
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
  void keepImagesFetched(app);
  return server;
}

function startAt<Server>(
  listen: string,
  ifPortTaken: IfPortTaken,
  start: (listen: ListenAddress) => Promise<Server>,
): Promise<Server> {
  const { host, port } = splitListen(listen);
  const startOn = (chosenPort: number): Promise<Server> => start({ host, port: chosenPort });
  return (ifPortTaken === 'fail' ? startExactly : startOnPort)(port, startOn);
}

function startExactly<Server>(port: number, startOn: (port: number) => Promise<Server>): Promise<Server> {
  return startOn(port);
}

const imageCheckMs = 60_000;

/** Fetches images in advance: downloading or hashing one takes longer than a request may. The site file can change. */
async function keepImagesFetched(app: App): Promise<void> {
  const reported = new Map<string, string>();
  while (!app.stopping.aborted) {
    await fetchImages(app, reported).catch((error: unknown) => app.log.warn({ err: error }, 'cannot list the images'));
    await sleep(imageCheckMs, undefined, { ref: false, signal: app.stopping }).catch(() => {});
  }
}

/** Reports each problem once. */
async function fetchImages(app: App, reported: Map<string, string>): Promise<void> {
  for (const { source, value } of await catalogueImages(app.store.queries)) {
    if (source === undefined || app.stopping.aborted) continue;
    try {
      await app.files.find(source);
      reported.delete(value);
    } catch (error) {
      const { message } = error as Error;
      if (reported.get(value) !== message)
        app.log.warn({ err: error, image: value }, 'the file of an image is unusable');
      reported.set(value, message);
    }
  }
}
