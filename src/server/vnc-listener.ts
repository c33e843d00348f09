// Starts the VNC listener if the site file has one.
import { splitListen } from '#app/reload/first-stage.ts';
import type { App } from '#app/app.ts';
import type { SiteScreens } from '#contract/site/machines.ts';
import { startVncProxy, type VncProxy } from '#http/consoles/vnc-proxy.ts';

export async function startVncListener(
  app: App,
  site: SiteScreens | undefined,
  ifPortTaken: 'fail' | 'useAnother',
): Promise<VncProxy | undefined> {
  if (site?.listen === undefined) return undefined;
  const { address: host, port } = splitListen(site.listen);
  const proxy = await startVncProxy(app, { host, port }).catch((error: NodeJS.ErrnoException) => {
    // Another process may have taken the lab's previous port.
    if (ifPortTaken === 'fail' || error.code !== 'EADDRINUSE') throw error;
    return startVncProxy(app, { host, port: 0 });
  });
  app.vncListeners.address = { host: proxy.address, port: proxy.port };
  return proxy;
}
