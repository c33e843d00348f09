// Runs the server: opens the app, applies the site file, listens, and stops on a signal.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { sendNotices } from '#app/billing/notices.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { hashPassword } from '#app/account/passwords.ts';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { ensureMachine, waitForMachines } from '#app/site/machines.ts';
import { loadSiteSettings, withStoredSettings } from '#app/site/settings.ts';
import { workers } from './workers.ts';
import type { App } from '#app/app.ts';
import { createHttpServer } from '#http/server.ts';
import { startMetricsServer } from '#http/metrics/metrics-server.ts';
import { stopServer } from '#http/stop-server.ts';
import { releaseMemory } from '#lib/performance/memory.ts';
import { hostAndPort, type Config } from '#lib/config.ts';
import { pickDefined } from '#lib/defined.ts';
import { dayText } from '#lib/time.ts';
import { labSite } from '#lab/site.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { readLabFile, withEquipment, writeLabFile, type LabFile } from '#lab/lab-file.ts';
import { billingSweep } from '#reconcilers/billing-sweep.ts';
import { bmcAccess } from '#reconcilers/bmc-access.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import { startReconcilers, type Reconciler } from '#reconcilers/reconciler.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { workflowSweep } from '#reconcilers/workflow-sweep.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { banner } from './banner.ts';
import { watchClock } from './clock-watch.ts';
import { createApp } from './create-app.ts';
import { openDataFolder } from './data-folder.ts';
import { seedLabAttack } from './lab/lab-attack.ts';
import { seedLabStaff } from './lab/lab-staff.ts';
import { seedLabTraffic } from './lab/lab-traffic.ts';
import { networkReconcilers } from './network-reconcilers.ts';
import { startNetworkBoot } from './network-boot.ts';
import { startConsoleListeners, startMediaListener, startVncListener } from './site-listeners.ts';
import { startWatchdog } from './watchdog.ts';

const maxStopMs = 9500;
const requestsBeforeJobsMs = 2500;
const labMachinesTimeoutMs = 30_000;

export async function serve(config: Config): Promise<void> {
  // Locked before the database is opened: opening migrates it, which must not happen while an older version is running.
  openDataFolder(config.dataFolder);
  const lock = config.database === undefined ? takeProcessLock(config.dataFolder) : undefined;
  if (config.database === undefined && lock === undefined)
    throw new Error('another Hostyard server is using this data folder');
  const app = await createApp(config);
  const clockWatch = await watchClock(app);
  const lab =
    config.siteFile === undefined
      ? await readLabFile(config.dataFolder, dayText(app.clock.now()), hashPassword)
      : undefined;
  const equipment = lab === undefined ? undefined : await startLabEquipment(config.dataFolder);
  const file = config.siteFile ?? writeLabSite(config, lab!, equipment!);
  const siteFromFile = readSite(readFileSync(file, 'utf8'), file, app.secrets);
  await applySite(app, siteFromFile);
  const site = withStoredSettings(siteFromFile, await loadSiteSettings(app, app.store.queries));
  if (lab !== undefined) await Promise.all([seedLabTraffic(app), seedLabAttack(app), seedLabStaff(app, lab)]);
  const dns = await app.nameService.open(site.nameserver);
  const boot = await startNetworkBoot(app, site.boot);
  if (boot !== undefined) equipment?.bootFrom(boot.url);

  // Before the server reports that it is ready: on PostgreSQL this can take a second, and a signal would interrupt it.
  await app.queue.start(workers(app));
  const reconcilers = await startReconcilers(app, [
    housekeeping(app.store, app.clock),
    workflowSweep(app, workflowJob),
    powerSync(app),
    billingSweep({
      startDueRuns: (signal) => startDueRuns(app, { operation: 'billing', signal }),
      giveNotices: (signal) => sendNotices(app, signal),
    }),
    machineSync(app, async (queries, service) => void (await ensureMachine(app, queries, service))),
    machineSampling(app),
    machineTidy(app),
    consoleUsers(app),
    bmcAccess(app),
    trafficPoll(app),
    ...dnsSweeps(app),
    ...networkReconcilers(app),
  ]);
  app.router.onSyncRequest(reconcilers.wake);
  app.serialLines.start();
  if (lab !== undefined) await waitForMachines(app, labMachinesTimeoutMs);
  const ifPortTaken = lab === undefined ? 'fail' : 'useAnother';
  const vncListener = await startVncListener(app, site.screens, ifPortTaken);
  const { trustedProxies } = config;
  const consoles = await startConsoleListeners(app, site.consoles, { ifPortTaken, trustedProxies });
  const media = await startMediaListener(app, site.media, ifPortTaken);
  const server = await createHttpServer(app, { trustedProxies });
  await server.listen(config.listen);
  // Only now: applying a large site file may hold the event loop for longer.
  startWatchdog();
  const metrics =
    config.metricsListen === undefined ? undefined : await startMetricsServer(server, config.metricsListen);
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
    // Service managers wait ten seconds. Unfinished work is recovered later: jobs are retried, leases expire.
    setTimeout(() => process.exit(0), maxStopMs).unref();
    app.log.info({ signal }, 'stopping');
    app.stop();
    const listeners = [stopServer(server), metrics?.close(), reconcilers.stop(), boot?.[Symbol.asyncDispose]()];
    // Requests may enqueue jobs until they end. A slow one must not take the time that running jobs have to finish: a
    // device command is then not cut off, and its workflow continues after the restart.
    await Promise.race([Promise.all(listeners), sleep(requestsBeforeJobsMs)]);
    await Promise.all([...listeners, app.queue.drain()]);
    await clockWatch.stop();
    await vncListener?.[Symbol.asyncDispose]();
    await consoles?.[Symbol.asyncDispose]();
    await media?.[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
    await equipment?.[Symbol.asyncDispose]();
    lock?.release();
    app.log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  // Last, because a reader of the banner may send a signal immediately.
  process.stdout.write(banner(url, config, lab, boot));
  releaseMemory();
}

/** Only an external name server can differ from the database. */
function dnsSweeps(app: App): Reconciler[] {
  const { external } = app.nameService;
  return external === undefined ? [] : [dnsSweep({ ...app, driver: external.driver, desiredZone })];
}

function writeLabSite(config: Config, lab: LabFile, equipment: LabEquipment): string {
  const file = join(config.dataFolder, 'lab.yaml');
  writeFileSync(file, stringify(labSite(lab, equipment), { lineWidth: 0 }), { mode: 0o600 });
  return file;
}
