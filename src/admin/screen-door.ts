// The proxy of screens as part of the process, where the site asks for one.
import { splitListen } from '#app/reload/first-stage.ts';
import type { Yard } from '#app/yard.ts';
import type { SiteScreens } from '#contract/site-machines.ts';
import { startScreenProxy, type ScreenProxy } from '#http/consoles/screen-proxy.ts';

export async function startScreenDoor(
  yard: Yard,
  site: SiteScreens | undefined,
  portTaken: 'fails' | 'another',
): Promise<ScreenProxy | undefined> {
  if (site?.listen === undefined) return undefined;
  const { address: host, port } = splitListen(site.listen);
  const proxy = await startScreenProxy(yard, { host, port }).catch((error: NodeJS.ErrnoException) => {
    // The lab's port of last time may be somebody else's by now.
    if (portTaken === 'fails' || error.code !== 'EADDRINUSE') throw error;
    return startScreenProxy(yard, { host, port: 0 });
  });
  yard.screens.address = { host: proxy.address, port: proxy.port };
  return proxy;
}
