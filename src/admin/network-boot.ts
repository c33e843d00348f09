// Network boot as part of the process: the boot server and, where the site asks for it, TFTP before it.
import { bootUrl, splitListen, startFirstStage } from '#app/reload/first-stage.ts';
import { systems } from '#app/site/systems.ts';
import type { Yard } from '#app/yard.ts';
import type { SiteBoot } from '#contract/site-systems.ts';

export interface NetworkBoot extends AsyncDisposable {
  /** As it listens. */
  readonly url: string;
  readonly tftp: { readonly address: string; readonly port: number } | undefined;
}

export async function startNetworkBoot(yard: Yard, boot: SiteBoot | undefined): Promise<NetworkBoot | undefined> {
  if (boot === undefined) return undefined;
  // Loaded only where it is used: a small installation should stay small.
  const { startBootServer } = await import('#http/boot/server.ts');
  await using started = new AsyncDisposableStack();
  const { address: host, port: wanted } = splitListen(boot.listen);
  const server = started.use(await startBootServer(yard, { listen: { host, port: wanted }, boot }));
  const tftp =
    boot.tftp === undefined
      ? undefined
      : started.use(await startFirstStage(yard.log, { ...boot, tftp: boot.tftp }, server.port));
  void fetchFiles(yard);
  const owned = started.move();
  const { address, port } = server;
  return {
    url: bootUrl({ url: `http://${address.includes(':') ? `[${address}]` : address}:${port}` }, port),
    tftp,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Before a server asks: firmware does not wait while a kernel is fetched from far away, or a large image read for its digest. */
async function fetchFiles(yard: Yard): Promise<void> {
  for (const { source } of await systems(yard.store.queries)) {
    for (const file of [source?.kernel, source?.initrd, source?.image]) {
      if (file === undefined || yard.stopping.aborted) continue;
      await yard.files
        .find(file)
        .catch((error: unknown) => yard.log.warn({ err: error }, 'a file for network boot is not usable'));
    }
  }
}
