// Runs the server: opens the app, applies the site file, listens, and stops on a signal.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { giveBandwidthNotices } from '#app/network/bandwidth-notices.ts';
import { sendNotices } from '#app/billing/notices.ts';
import { findBillingPause } from '#app/billing/pause.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { endCancelledServices } from '#app/pricing/ended-services.ts';
import { announcePriceChanges } from '#app/pricing/price-announcements.ts';
import { applyPriceChanges } from '#app/pricing/price-changes.ts';
import { readExchangeRates } from '#app/billing/currency/rates.ts';
import { createDeliveryWork } from '#app/billing/delivery/hand-over.ts';
import { createVatWork } from '#app/billing/tax/validation.ts';
import { collectDueInvoices } from '#app/payments/collection.ts';
import { sweepBackups } from '#app/machines/backup-sweep.ts';
import { performSepaWork } from '#app/payments/sepa/work.ts';
import { listPaymentTasks } from '#app/payments/work.ts';
import { refreshSignatures } from '#app/dns/dnssec-zones.ts';
import { canCustomersSeeSensors } from '#app/servers/sensors.ts';
import { createAliasWork } from '#app/dns/aliases.ts';
import { desiredZone } from '#app/dns/desired-zone.ts';
import { hashPassword } from '#app/account/passwords.ts';
import { settingsAfter } from '#app/machines/network-settings.ts';
import { ensureMachine, waitForMachines } from '#app/site/machines.ts';
import { workers } from './workers.ts';
import type { App } from '#app/app.ts';
import { createHttpServer } from '#http/server.ts';
import { startMetricsServer } from '#http/metrics/metrics-server.ts';
import { defaultWaits } from '#equipment/waits.ts';
import { stopServer } from '#http/stop-server.ts';
import { releaseMemory } from '#lib/performance/memory.ts';
import { printFailure } from '#lib/journal.ts';
import { hostAndPort, type Config } from '#lib/config.ts';
import { pickDefined } from '#lib/defined.ts';
import { dayText } from '#lib/time.ts';
import { labSite } from '#lab/site.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { readLabFile, withEquipment, writeLabFile, type LabFile } from '#lab/lab-file.ts';
import { aliasPoll } from '#reconcilers/alias-poll.ts';
import { billingSweep } from '#reconcilers/billing-sweep.ts';
import { bandwidthNotices } from '#reconcilers/bandwidth-notices.ts';
import { cancelledServices } from '#reconcilers/cancelled-services.ts';
import { erasureSweep } from '#reconcilers/erasure-sweep.ts';
import { eraseDueAccounts } from '#app/privacy/erase.ts';
import { bmcAccess } from '#reconcilers/bmc-access.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { machineSampling } from '#reconcilers/machine-samples.ts';
import { continueDeletions } from '#app/machines/deletion-work.ts';
import { machineDeletions } from '#reconcilers/machine-deletions.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineAddresses } from '#reconcilers/machine-addresses.ts';
import { machineBackups } from '#reconcilers/machine-backups.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { nodeEvacuation } from '#reconcilers/node-evacuation.ts';
import { continueEvacuations } from '#app/machines/evacuation.ts';
import { volumeTidy } from '#reconcilers/volume-tidy.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { sensorsPoll } from '#reconcilers/sensors-poll.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import { signatureRefresh } from '#reconcilers/signature-refresh.ts';
import { startReconcilers, type Reconciler } from '#reconcilers/reconciler.ts';
import { sampleMerge } from '#reconcilers/sample-merge.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { exchangeRates } from '#reconcilers/exchange-rates.ts';
import { invoiceDelivery } from '#reconcilers/invoice-delivery.ts';
import { paymentReconcilers } from '#reconcilers/payments.ts';
import { sepaSweep } from '#reconcilers/sepa.ts';
import { vatNumbers } from '#reconcilers/vat-numbers.ts';
import { workflowSweep } from '#reconcilers/workflow-sweep.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { workflowJob } from '#workflows/engine/runner.ts';
import { banner } from './banner.ts';
import { watchClock } from './clock-watch.ts';
import { createApp } from './create-app.ts';
import { openDataFolder } from './data-folder.ts';
import { takeInheritedListener } from './inherited-listener.ts';
import { seedLabAttack } from './lab/lab-attack.ts';
import { seedLabStaff } from './lab/lab-staff.ts';
import { seedLabTraffic } from './lab/lab-traffic.ts';
import { startFailureText } from './listen-problem.ts';
import { networkReconcilers } from './network-reconcilers.ts';
import { startNetworkBoot } from './network-boot.ts';
import { openSite } from './open-site.ts';
import { startConsoleListeners, startMediaListener, startVncListener } from './site-listeners.ts';
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
  if (lab !== undefined) await Promise.all([seedLabTraffic(app), seedLabAttack(app), seedLabStaff(app, lab)]);
  const dns = await app.nameService.open(site.nameserver);
  const boot = await startNetworkBoot(app, site.boot);
  sources.push(async () => boot?.[Symbol.asyncDispose]());
  if (boot !== undefined) equipment?.bootFrom(boot.url);

  // Before the server reports that it is ready: on PostgreSQL this can take a second, and a signal would interrupt it.
  await app.queue.start(workers(app));
  const reconcilers = await startReconcilers(app, [
    housekeeping(app.store, app.clock),
    erasureSweep(app.store, app.clock, (signal) => eraseDueAccounts(app, signal)),
    bandwidthNotices(app.store, app.clock, (signal) => giveBandwidthNotices(app, signal)),
    workflowSweep(app, workflowJob),
    powerSync(app),
    sensorsPoll({ ...app, canCustomersSee: () => canCustomersSeeSensors(app, app.store.queries) }),
    billingSweep({
      isPaused: async () => (await findBillingPause(app)) !== undefined,
      announcePriceChanges: (signal) => announcePriceChanges(app, signal),
      applyPriceChanges: (signal) => applyPriceChanges(app, signal),
      startDueRuns: (signal) => startDueRuns(app, { operation: 'billing', signal }),
      giveNotices: (signal) => sendNotices(app, signal),
    }),
    cancelledServices({
      isPaused: async () => (await findBillingPause(app)) !== undefined,
      endServices: (signal) => endCancelledServices(app, signal),
    }),
    machineSync(app, async (queries, service) => void (await ensureMachine(app, queries, service))),
    machineSampling(app),
    machineTidy(app),
    nodeEvacuation((signal) => continueEvacuations(app, signal)),
    machineBackups((signal) => sweepBackups(app, signal)),
    volumeTidy(app),
    machineDeletions((signal) => continueDeletions(app, signal)),
    machineAddresses(app, (service) => settingsAfter(app.store.queries, service)),
    consoleUsers(app),
    bmcAccess(app),
    trafficPoll(app),
    sampleMerge(app),
    aliasPoll(app, createAliasWork(app)),
    vatNumbers(app, createVatWork(app)),
    ...paymentReconcilers(app, {
      listDue: (limit) => listPaymentTasks(app, limit),
      isPaused: async () => (await findBillingPause(app)) !== undefined,
      collect: (signal) => collectDueInvoices(app, signal),
    }),
    sepaSweep((signal) => performSepaWork(app, signal)),
    invoiceDelivery(app, createDeliveryWork(app)),
    exchangeRates((signal) => readExchangeRates(app, signal)),
    ...dnsSweeps(app),
    signatureRefresh({ ...app, refreshZone: (zone) => refreshSignatures(app, zone) }),
    ...networkReconcilers(app),
  ]);
  sources.push(reconcilers.stop);
  app.router.onSyncRequest(reconcilers.wake);
  app.serialLines.start();
  if (lab !== undefined) await waitForMachines(app, labMachinesTimeoutMs);
  const ifPortTaken = lab === undefined ? 'fail' : 'useAnother';
  const vncListener = owned.use(await startVncListener(app, site.screens, ifPortTaken));
  const { trustedProxies } = config;
  const consoles = owned.use(await startConsoleListeners(app, site.consoles, { ifPortTaken, trustedProxies }));
  const media = owned.use(await startMediaListener(app, site.media, ifPortTaken));
  const server = await createHttpServer(app, { trustedProxies });
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
  releaseMemory();
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
