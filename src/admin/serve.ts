// The server as a process: open, make the site so, listen, and stop when asked.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { stringify } from 'yaml';
import { giveNotices } from '#app/billing/notices.ts';
import { startDueRuns } from '#app/billing/run.ts';
import { wantedZone } from '#app/dns/source.ts';
import { passwordHash } from '#app/account/passwords.ts';
import { applySite } from '#app/site/apply.ts';
import { readSite } from '#app/site/file.ts';
import { machineAwaited, machinesMade } from '#app/site/machines.ts';
import { settingsOf, withKept } from '#app/site/settings.ts';
import { workers } from '#app/workers.ts';
import type { Yard } from '#app/yard.ts';
import { makeServer } from '#http/server.ts';
import { metricsServer } from '#http/metrics/metrics-server.ts';
import { stopServer } from '#http/stop.ts';
import { giveBackMemory } from '#kernel/memory.ts';
import type { Config } from '#kernel/config.ts';
import { dayText } from '#kernel/moments.ts';
import { labSite } from '#lab/site.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { readLabFile, withEquipment, writeLabFile, type LabFile } from '#lab/file.ts';
import { billingSweep } from '#reconcilers/billing-sweep.ts';
import { consoleUsers } from '#reconcilers/console-users.ts';
import { housekeeping } from '#reconcilers/housekeeping.ts';
import { machineSync } from '#reconcilers/machine-sync.ts';
import { machineTidy } from '#reconcilers/machine-tidy.ts';
import { powerSync } from '#reconcilers/power-sync.ts';
import { dnsSweep } from '#reconcilers/dns-sweep.ts';
import { startReconcilers, type Reconciler } from '#reconcilers/reconciler.ts';
import { trafficPoll } from '#reconcilers/traffic-poll.ts';
import { workflowSweep } from '#reconcilers/workflow-sweep.ts';
import { takeProcessLock } from '#store/engine/process-lock.ts';
import { workflowJob } from '#workflows/runner.ts';
import { banner } from './banner.ts';
import { watchClock } from './clock-watch.ts';
import { openYard } from './compose.ts';
import { startMediaDoor } from './media-door.ts';
import { startScreenDoor } from './screen-door.ts';
import { openDataFolder } from './data-folder.ts';
import { seedLabAttack } from './lab/lab-attack.ts';
import { seedLabStaff } from './lab/lab-staff.ts';
import { seedLabTraffic } from './lab/lab-traffic.ts';
import { networkReconcilers } from './network-reconcilers.ts';
import { startNetworkBoot } from './network-boot.ts';

const longestStopMs = 9500;
const labMachinesMs = 30_000;

export async function serve(config: Config): Promise<void> {
  // Before the database is opened: opening migrates it, which must not happen under a server of an older version.
  openDataFolder(config.dataFolder);
  const lock = config.database === undefined ? takeProcessLock(config.dataFolder) : undefined;
  if (config.database === undefined && lock === undefined)
    throw new Error('another Hostyard server runs on this data folder');
  const yard = await openYard(config);
  const clockWatch = await watchClock(yard);
  const lab =
    config.siteFile === undefined
      ? await readLabFile(config.dataFolder, dayText(yard.clock.now()), passwordHash)
      : undefined;
  const equipment = lab === undefined ? undefined : await startLabEquipment(config.dataFolder);
  const file = config.siteFile ?? writeLabSite(config, lab!, equipment!);
  const said = readSite(readFileSync(file, 'utf8'), file, yard.secrets);
  await applySite(yard, said);
  const site = withKept(said, await settingsOf(yard, yard.store.queries));
  if (lab !== undefined) await Promise.all([seedLabTraffic(yard), seedLabAttack(yard), seedLabStaff(yard, lab)]);
  const dns = await yard.nameService.open(site.nameserver);
  const boot = await startNetworkBoot(yard, site.boot);
  if (boot !== undefined) equipment?.bootFrom(boot.url);

  // Before anybody is told that the server is ready: on PostgreSQL this may take a second, and a signal would end it meanwhile.
  await yard.jobs.start(workers(yard));
  const reconcilers = await startReconcilers(yard, [
    housekeeping(yard.store, yard.clock),
    workflowSweep(yard, workflowJob),
    powerSync(yard),
    billingSweep({
      startDueRuns: (signal) => startDueRuns(yard, { operation: 'billing', signal }),
      giveNotices: (signal) => giveNotices(yard, signal),
    }),
    machineSync(yard, async (queries, service) => void (await machineAwaited(yard, queries, service))),
    machineTidy(yard),
    consoleUsers(yard),
    trafficPoll(yard),
    ...dnsSweeps(yard),
    ...networkReconcilers(yard),
  ]);
  yard.router.onPoke(reconcilers.wake);
  yard.serialLines.start();
  if (lab !== undefined) await machinesMade(yard, labMachinesMs);
  const screens = await startScreenDoor(yard, site.screens, lab === undefined ? 'fails' : 'another');
  const media = await startMediaDoor(yard, site.media, lab === undefined ? 'fails' : 'another');
  const server = await makeServer(yard, { trustedProxies: config.trustedProxies });
  await server.listen(config.listen);
  const metrics = config.metricsListen === undefined ? undefined : await metricsServer(server, config.metricsListen);
  const url = urlOf(server.server.address() as AddressInfo);
  if (lab !== undefined) {
    const door = screens && { screens: { address: screens.address, port: screens.port } };
    writeLabFile(config.dataFolder, {
      ...withEquipment(lab, equipment!),
      url,
      dns: dns ?? lab.dns,
      ...door,
      ...(media && { media: { port: media.port } }),
    });
  }

  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    // Whoever stops us waits ten seconds. What is not over by then is made up for: jobs run again, leases lapse.
    setTimeout(() => process.exit(0), longestStopMs).unref();
    yard.log.info({ signal }, 'stopping');
    yard.stop();
    await Promise.all([stopServer(server), metrics?.close(), reconcilers.stop(), boot?.[Symbol.asyncDispose]()]);
    await clockWatch.stop();
    // After the last request, which may have enqueued.
    await yard.jobs.stop();
    await yard.serialLines.stop();
    await yard.nameService.close();
    await yard.bmcs.close();
    await yard.switches.close();
    await yard.router.close();
    await screens?.[Symbol.asyncDispose]();
    await media?.[Symbol.asyncDispose]();
    await yard.nodes.close();
    await equipment?.[Symbol.asyncDispose]();
    await yard.store.close();
    lock?.release();
    yard.log.flush();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => void stop(signal));
  process.on('SIGINT', (signal) => void stop(signal));
  // Last: whoever reads it may send a signal at once.
  process.stdout.write(banner(url, config, lab, boot));
  giveBackMemory();
}

/** Only a name server elsewhere can differ from the database. */
function dnsSweeps(yard: Yard): Reconciler[] {
  const { elsewhere } = yard.nameService;
  return elsewhere === undefined ? [] : [dnsSweep({ ...yard, driver: elsewhere.driver, wantedZone })];
}

function writeLabSite(config: Config, lab: LabFile, equipment: LabEquipment): string {
  const file = join(config.dataFolder, 'lab.yaml');
  writeFileSync(file, stringify(labSite(lab, equipment), { lineWidth: 0 }), {
    mode: 0o600,
  });
  return file;
}

function urlOf({ address, port, family }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
