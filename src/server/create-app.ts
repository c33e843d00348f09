// The composition root: turns settings into a running App. The server, the local commands and the tests all start here.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { createAuthentication } from '#app/account/authentication.ts';
import { openBackupFolder } from '#app/backup/backup-folder.ts';
import { fileCache } from '#app/reload/file-cache.ts';
import { nameService } from '#app/dns/name-service.ts';
import { createKeyAnswers } from '#app/dns/updates.ts';
import { openVncListeners } from '#app/machines/vnc-listeners.ts';
import { openConsoleGateway } from '#app/servers/console-gateway.ts';
import { openMailer } from '#app/mail/mailer.ts';
import { openWorkflowFeed } from '#app/operations/workflow-wait.ts';
import { openProviderAddresses } from '#app/events/provider-addresses.ts';
import { webhookNetworks } from '#app/events/webhook-networks.ts';
import type { App } from '#app/app.ts';
import { runTransferInProcess } from '#drivers/backup/process.ts';
import type { RunTransfer } from '#drivers/backup/transfer.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openBmcs } from '#equipment/bmcs.ts';
import { openHypervisors } from '#equipment/hypervisors.ts';
import { openRouter } from '#equipment/router.ts';
import { serialLines } from '#equipment/serial-lines.ts';
import { openSwitches } from '#equipment/switches.ts';
import { openQueue } from '#queue/open.ts';
import type { SteadyClock } from '#lib/clock.ts';
import type { Config } from '#lib/config.ts';
import { createEgressGuard } from '#lib/egress.ts';
import { createLog, type Log } from '#lib/log.ts';
import { ensureSealingKey, secretBox, type SecretBox } from '#lib/secrets.ts';
import { metaInsertOnce, sealingKeyEntry } from '#store/meta.ts';
import { postgresHosts } from '#store/engine/postgres-route.ts';
import { openStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { openLeaseFeed } from '#store/work/leases.ts';
import { openClock } from './clock-watch.ts';

/** Parts that a caller supplies instead of having them opened from the settings. */
export interface AppOverrides {
  readonly store?: Store;
  readonly clock?: SteadyClock;
  readonly log?: Log;
  readonly secrets?: SecretBox;
  readonly hypervisorDrivers?: typeof hypervisorDrivers;
  readonly runTransfer?: RunTransfer;
}

/** Disposing closes every part in the order in which they depend on each other, the store last. */
export interface RunningApp extends App, AsyncDisposable {
  readonly clock: SteadyClock;
}

export async function createApp(config: Config, overrides: AppOverrides = {}): Promise<RunningApp> {
  await using opened = new AsyncDisposableStack();
  const secrets = overrides.secrets ?? secretBox(config.sealingKey ?? ensureSealingKey(config.dataFolder));
  const log = overrides.log ?? createLog(config.logLevel);
  const store = overrides.store ?? (await openStore(config, (waiting) => log.warn(waiting)));
  opened.defer(() => store.close());
  const storedFingerprint = await metaInsertOnce(store.queries, sealingKeyEntry, secrets.fingerprint);
  if (storedFingerprint !== secrets.fingerprint)
    throw new Error("this database was sealed with another key; set HOSTYARD_SEALING_KEY_FILE to that key's file");
  const parts = {
    store,
    secrets,
    clock: overrides.clock ?? (await openClock(store)),
    log,
    instanceId: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
  };
  const closeOnDispose = <Part extends { close(): unknown }>(part: Part): Part =>
    opened.adopt(part, async () => void (await part.close()));
  const hypervisors = closeOnDispose(
    openHypervisors({ ...parts, drivers: overrides.hypervisorDrivers ?? hypervisorDrivers }),
  );
  const router = closeOnDispose(openRouter({ ...parts, drivers: routeDrivers }));
  const switches = closeOnDispose(openSwitches({ ...parts, drivers: switchDrivers }));
  const bmcs = closeOnDispose(openBmcs({ ...parts, drivers: openBmcDrivers() }));
  const names = closeOnDispose(
    nameService({ ...parts, location: config, answerKeyQuestion: (question) => answerKeyQuestion(question) }),
  );
  const mailer = closeOnDispose(openMailer(parts));
  const workflowFeed = closeOnDispose(openWorkflowFeed(parts));
  const leaseFeed = closeOnDispose(openLeaseFeed(parts));
  const lines = opened.adopt(serialLines({ ...parts, bmcs }), (part) => part.stop());
  // Last, so that it is the first to stop: running jobs still need everything above.
  const queue = opened.adopt(await openQueue(parts, config.database), (part) => part.stop());
  const isProviders = openProviderAddresses(parts, [
    ...(config.database === undefined ? [] : postgresHosts(config.database)),
    ...config.trustedProxies,
  ]);
  const stopping = new AbortController();
  const owned = opened.move();
  const app: RunningApp = {
    ...parts,
    bmcs,
    serialLines: lines,
    switches,
    router,
    hypervisors,
    runTransfer: overrides.runTransfer ?? runTransferInProcess,
    vncListeners: openVncListeners(),
    consoleGateway: openConsoleGateway(),
    authentication: createAuthentication(parts),
    nameService: names,
    mailer,
    files: fileCache(join(config.dataFolder, 'files')),
    backups: openBackupFolder(config, config.backupsKept),
    media: { url: undefined },
    egress: createEgressGuard({ allowed: () => webhookNetworks(store.queries), isProviders }),
    queue,
    workflowFeed,
    leaseFeed,
    stopping: stopping.signal,
    stop: () => stopping.abort(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  const answerKeyQuestion = createKeyAnswers(app);
  return app;
}
