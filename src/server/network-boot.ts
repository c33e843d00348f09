// Starts network boot if the site file has it: the boot server and, optionally, TFTP.
import { bootUrl, startFirstStage } from '#app/reload/first-stage.ts';
import { listSystems } from '#app/site/systems.ts';
import type { App } from '#app/app.ts';
import type { SiteBoot } from '#contract/site/systems.ts';
import { hostAndPort, splitListen } from '#lib/config.ts';

export interface NetworkBoot extends AsyncDisposable {
  /** Of the listening socket. */
  readonly url: string;
  readonly tftp: { readonly address: string; readonly port: number } | undefined;
}

export async function startNetworkBoot(app: App, boot: SiteBoot | undefined): Promise<NetworkBoot | undefined> {
  if (boot === undefined) return undefined;
  // Loaded on demand, to keep small installations small.
  const { startBootServer } = await import('#http/boot/boot-server.ts');
  await using started = new AsyncDisposableStack();
  const server = started.use(await startBootServer(app, { listen: splitListen(boot.listen), boot }));
  const tftp =
    boot.tftp === undefined
      ? undefined
      : started.use(await startFirstStage(app.log, { ...boot, tftp: boot.tftp }, server.port));
  void fetchFiles(app);
  const owned = started.move();
  const { address, port } = server;
  return {
    url: bootUrl({ url: `http://${hostAndPort({ host: address, port })}` }, port),
    tftp,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Fetches files in advance: firmware does not wait while a kernel is downloaded or a large image is hashed. */
async function fetchFiles(app: App): Promise<void> {
  for (const { source } of await listSystems(app.store.queries)) {
    for (const file of [source?.kernel, source?.initrd, source?.image]) {
      if (file === undefined || app.stopping.aborted) continue;
      await app.files
        .find(file)
        .catch((error: unknown) => app.log.warn({ err: error }, 'a file for network boot is unusable'));
    }
  }
}
