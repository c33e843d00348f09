// Runs the server: opens the app, applies the site file, listens, and stops on a signal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { dump } from 'js-yaml';
import { hashPassword } from '#app/account/passwords.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { workers } from './workers.ts';
import type { App } from '#app/app.ts';
import { createHttpServer } from '#http/server.ts';
import { startMetricsServer } from '#http/metrics/metrics-server.ts';
import { defaultWaits } from '#equipment/waits.ts';
import { stopServer } from '#http/stop-server.ts';
import { releaseMemoryLater } from '#lib/performance/memory.ts';
import { printFailure } from '#lib/journal.ts';
import { hostAndPort, type Config } from '#lib/config.ts';
import { pickDefined } from '#lib/defined.ts';
import { dayText } from '#lib/time.ts';
import { labSite } from '#lab/site.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { readLabFile, withEquipment, writeLabFile, type LabFile } from '#lab/lab-file.ts';
import { startReconcilers } from '#reconcilers/reconciler.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { banner } from './banner.ts';
import { watchClock } from './clock-watch.ts';
import { createApp } from './create-app.ts';
import { openDataFolder } from './data-folder.ts';
import { takeInheritedListener } from './inherited-listener.ts';
import { seedLabAttack } from './lab/lab-attack.ts';
import { seedLabStaff } from './lab/lab-staff.ts';
import { seedLabTraffic } from './lab/lab-traffic.ts';
import { startFailureText } from './listen-problem.ts';
import { startNetworkBoot } from './network-boot.ts';
import { openSite } from './open-site.ts';
import { reconcilers } from './reconcilers.ts';
import { openNameServer, startConsoleListeners, startMediaListener, startVncListener } from './site-listeners.ts';
import { startWatchdog } from './watchdog.ts';

const maxStopMs = 9500;
const requestsBeforeJobsMs = 2500;
const labMachinesTimeoutMs = 30_000;

/** Everything that has been started so far, for an orderly end at any time. */
interface Started {
  app?: App;
  /** Each stops something that brings new work; they stop together and first. */
  readonly sources: (() => Promise<unknown> | undefined)[];
  /** The rest, in the order in which it was started. */
  readonly owned: AsyncDisposableStack;
}

/** Ends the process with 1 if the start fails: service managers must see it, and nothing may be left running. */
export async function serve(config: Config): Promise<void> {
  const started: Started = { sources: [], owned: new AsyncDisposableStack() };
  try {
    await start(config, started);
  } catch (error) {
    printFailure(startFailureText(error));
    await endProcess(started, 1);
  }
}

async function start(config: Config, started: Started): Promise<void> {
  const { sources, owned } = started;
  // Locked before the database is opened: opening migrates it, which must not happen while an older version is running.
  openDataFolder(config.dataFolder);
  const lock = config.database === undefined ? takeProcessLock(config.dataFolder) : undefined;
  if (config.database === undefined && lock === undefined)
    throw new Error('another Hostyard server is using this data folder');
  owned.defer(() => lock?.release());
  let equipment: LabEquipment | undefined;
  // After the app, which may still be talking to it.
  owned.defer(() => equipment?.[Symbol.asyncDispose]());
  const app = owned.use(await createApp(config));
  started.app = app;
  const clockWatch = await watchClock(app);
  owned.defer(() => clockWatch.stop());
  const lab =
    config.siteFile === undefined
      ? await readLabFile(config.dataFolder, dayText(app.clock.now()), hashPassword)
      : undefined;
  equipment = lab === undefined ? undefined : await startLabEquipment(config.dataFolder);
  const site = await openSite(app, config.siteFile ?? writeLabSite(config, lab!, equipment!));
  const ifPortTaken = lab === undefined ? 'fail' : 'useAnother';
  // The threads of the name server load their code meanwhile.
  const [dns, boot] = await Promise.all([
    openNameServer(app, site.nameserver, ifPortTaken),
    startNetworkBoot(app, site.boot),
    ...(lab === undefined ? [] : [seedLabTraffic(app), seedLabAttack(app), seedLabStaff(app, lab)]),
  ]);
  sources.push(async () => boot?.[Symbol.asyncDispose]());
  if (boot !== undefined) equipment?.bootFrom(boot.url);

  // Before the server reports that it is ready: on PostgreSQL this can take a second, and a signal would interrupt it.
  await app.queue.start(workers(app));
  const running = await startReconcilers(app, reconcilers(app));
  sources.push(running.stop);
  app.router.onSyncRequest(running.wake);
  app.serialLines.start();
  const vncListener = owned.use(await startVncListener(app, site.screens, ifPortTaken));
  const { trustedProxies } = config;
  const consoles = owned.use(await startConsoleListeners(app, site.consoles, { ifPortTaken, trustedProxies }));
  const media = owned.use(await startMediaListener(app, site.media, ifPortTaken));
  // The lab's machines are created meanwhile.
  const [server] = await Promise.all([
    createHttpServer(app, { trustedProxies }),
    lab !== undefined && waitForMachines(app, labMachinesTimeoutMs),
  ]);
  sources.push(() => stopServer(server, longestCommandMs(app)));
  await server.listen(takeInheritedListener(process.env) ?? config.listen);
  // Only now: applying a large site file may hold the event loop for longer.
  startWatchdog();
  const metrics =
    config.metricsListen === undefined ? undefined : await startMetricsServer(server, config.metricsListen);
  sources.push(async () => metrics?.close());
  const { address: host, port } = server.server.address() as AddressInfo;
  const url = `http://${hostAndPort({ host, port })}`;
  if (lab !== undefined) {
    const screens = vncListener && { screens: { address: vncListener.address, port: vncListener.port } };
    writeLabFile(config.dataFolder, {
      ...withEquipment(lab, equipment!),
      url,
      dns: dns ?? lab.dns,
      ...screens,
      ...(media && { media: { port: media.port } }),
      ...(consoles && { consoles: { ports: consoles.ports, ...pickDefined({ webPort: consoles.webPort }) } }),
    });
  }

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    app.log.info({ signal }, 'stopping');
    await endProcess(started, 0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  // Last, because a reader of the banner may send a signal immediately.
  process.stdout.write(banner(url, config, lab, boot));
  releaseMemoryLater();
}

function longestCommandMs({ bmcs, switches }: App): number {
  return Math.max(bmcs.longestCommandMs(), switches.longestCommandMs());
}

/**
 * Service managers wait ten seconds; ours waits for the slowest devices that a site file allows. Unfinished work is recovered
 * later: jobs are retried, leases expire.
 */
async function endProcess(started: Started, code: number): Promise<never> {
  const moreMs = started.app === undefined ? 0 : longestCommandMs(started.app) - defaultWaits.commandMs;
  setTimeout(() => process.exit(code), maxStopMs + moreMs).unref();
  await stopAll(started).catch((error: unknown) => started.app?.log.error({ err: error }, 'could not stop cleanly'));
  started.app?.log.flush();
  process.exit(code);
}

async function stopAll({ app, sources, owned }: Started): Promise<void> {
  app?.stop();
  const stopped = sources.map((stopSource) => stopSource());
  // Requests may enqueue jobs until they end. A slow one must not take the time that running jobs have to finish: a
  // device command is then not cut off, and its workflow continues after the restart.
  await Promise.race([Promise.all(stopped), sleep(requestsBeforeJobsMs)]);
  await Promise.all([...stopped, app?.queue.drain()]);
  await owned.disposeAsync();
}

function writeLabSite(config: Config, lab: LabFile, equipment: LabEquipment): string {
  const file = join(config.dataFolder, 'lab.yaml');
  // Without aliases, because a file that has any takes longer to read.
  const text = dump(labSite(lab, equipment), { lineWidth: -1, noRefs: true, skipInvalid: true });
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
