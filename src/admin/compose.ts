// The composition root's one function: from settings to all that the process has. Servers and commands both begin here.
import { hostname } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { authentication } from '#app/account/authentication.ts';
import { backupFolder } from '#app/backup/folder.ts';
import { fileCache } from '#app/reload/file-cache.ts';
import { nameService } from '#app/dns/name-service.ts';
import { screenDoors } from '#app/machines/screen-doors.ts';
import { webhookNetworks } from '#app/events/webhook-networks.ts';
import type { Yard } from '#app/yard.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openBmcs } from '#equipment/bmcs.ts';
import { openNodes } from '#equipment/nodes.ts';
import { openRouter } from '#equipment/router.ts';
import { serialLines } from '#equipment/serial-lines.ts';
import { openSwitches } from '#equipment/switches.ts';
import { openJobs } from '#jobs/open.ts';
import type { SteadyClock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { dialling } from '#kernel/dialling.ts';
import { makeLog } from '#kernel/log.ts';
import { sealingKeyOf, secretBox } from '#kernel/secrets.ts';
import { metaSettle, sealingKeyMeta } from '#store/meta.ts';
import { openStore } from '#store/open.ts';
import { openClock } from './clock-watch.ts';
import { openDataFolder } from './data-folder.ts';

export async function openYard(config: Config): Promise<Yard & { readonly clock: SteadyClock }> {
  openDataFolder(config.dataFolder);
  const log = makeLog(config.logLevel);
  const secrets = secretBox(config.sealingKey ?? sealingKeyOf(config.dataFolder));
  const store = await openStore(config);
  const settled = await metaSettle(store.queries, sealingKeyMeta, secrets.fingerprint);
  if (settled !== secrets.fingerprint) {
    await store.close();
    throw new Error('this database was sealed under another key: give that one with HOSTYARD_SEALING_KEY_FILE');
  }
  const stopping = new AbortController();
  const node = `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`;
  const parts = { store, clock: await openClock(store), log, secrets, node };
  const bmcs = openBmcs({ ...parts, drivers: openBmcDrivers() });
  return {
    ...parts,
    bmcs,
    serialLines: serialLines({ ...parts, bmcs }),
    switches: openSwitches({ ...parts, drivers: switchDrivers }),
    router: openRouter({ ...parts, drivers: routeDrivers }),
    nodes: openNodes({ ...parts, drivers: hypervisorDrivers }),
    screens: screenDoors(),
    authentication: authentication(parts),
    nameService: nameService(parts),
    files: fileCache(join(config.dataFolder, 'files')),
    backups: backupFolder(config, config.backupsKept),
    media: { url: undefined },
    dialling: dialling({ allowed: () => webhookNetworks(store.queries) }),
    jobs: await openJobs(parts, config.database),
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
}
