// A yard inside the test process: the lab's site on a temporary database, behind the real HTTP server on a port of its own.
// It starts in a fraction of the time that a process takes, its clock can be moved, and its store can be looked into; what
// concerns the process itself (signals, files, logs) is told with `startServer` instead.
//
//   await using yard = await openTestYard();
//   const { status } = await request(yard, 'GET', '/v2/account', { key: yard.lab.customer.key });

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { startMediaDoor } from '#admin/media-door.ts';
import { authentication } from '#app/account/authentication.ts';
import { backupFolder } from '#app/backup/folder.ts';
import { fileCache } from '#app/reload/file-cache.ts';
import { nameService } from '#app/dns/name-service.ts';
import { applySite } from '#app/site/apply.ts';
import { screenDoors } from '#app/machines/screen-doors.ts';
import { machinesMade } from '#app/site/machines.ts';
import { webhookNetworks } from '#app/events/webhook-networks.ts';
import { workers } from '#app/workers.ts';
import type { Yard } from '#app/yard.ts';
import type { Site } from '#contract/site.ts';
import { makeServer } from '#http/server.ts';
import { openBmcDrivers } from '#drivers/bmc/registry.ts';
import type { HypervisorDriver } from '#drivers/hypervisor/driver.ts';
import { hypervisorDrivers } from '#drivers/hypervisor/registry.ts';
import { routeDrivers } from '#drivers/routes/registry.ts';
import { switchDrivers } from '#drivers/switch/registry.ts';
import { openBmcs } from '#equipment/bmcs.ts';
import { openNodes } from '#equipment/nodes.ts';
import { openRouter } from '#equipment/router.ts';
import { serialLines } from '#equipment/serial-lines.ts';
import { openSwitches } from '#equipment/switches.ts';
import { openJobs } from '#jobs/open.ts';
import { dialling } from '#kernel/dialling.ts';
import { dayText } from '#kernel/moments.ts';
import { secretBox } from '#kernel/secrets.ts';
import { readLabFile, type LabFile } from '#lab/file.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { labSite } from '#lab/site.ts';
import { temporaryFolder } from './folder.ts';
import { adoptMachines } from './machines.ts';
import { needs, type SuiteOptions } from './needs.ts';
import { startPostgres } from './postgres.ts';
import { openTestStore } from './store.ts';

export interface TestYard extends AsyncDisposable {
  readonly url: string;
  readonly lab: LabFile;
  readonly http: FastifyInstance;
  readonly parts: Yard;
  /** The lab's site, to be changed and applied again. */
  readonly site: Site;
  /** The lab's simulators, to be looked at and broken. */
  readonly equipment: LabEquipment;
  /** Where the built-in name server listens; port 0 where there is another. */
  readonly dns: { readonly address: string; readonly port: number };
  /** Moves the clock forward; real time goes on beneath it. */
  pass(milliseconds: number): void;
}

export interface TestYardOptions {
  /** postgres://…; a SQLite file unless told. */
  readonly database?: string;
  readonly trustedProxies?: readonly string[];
  /** Parts of the site in the place of the lab's. */
  readonly site?: Partial<Site>;
  /** Works off jobs, as what goes on after the answer or takes several steps needs. */
  readonly worksOffJobs?: boolean;
  /** Drivers of nodes in the place of all that there are. */
  readonly hypervisors?: Readonly<Record<string, HypervisorDriver>>;
  /** Another node beside this one: on its database, with its lab. */
  readonly beside?: TestYard;
}

/** As the product hashes a password, at the least cost that there is. */
const quickHash = (password: string): Promise<string> => hash(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
/** The lab's servers, in a hurry. */
const quickTiming = { bootMs: 50, installMs: 200, buildMs: 50, cycleOffMs: 50, softOffMs: 50, absenceMs: 200 };

export async function openTestYard(options: TestYardOptions = {}): Promise<TestYard> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('yard'));
  let ahead = 0;
  const clock = { now: () => Date.now() + ahead };
  const store = await openTestStore({ dataFolder: folder.path, database: options.database });
  owned.defer(() => store.close());
  const parts = {
    store,
    clock,
    log: pino({ level: 'silent' }),
    secrets: options.beside?.parts.secrets ?? secretBox(randomBytes(32)),
    node: randomBytes(4).toString('hex'),
  };
  const jobs = await openJobs(parts, options.database);
  owned.defer(() => jobs.stop());
  const lab = options.beside?.lab ?? (await readLabFile(folder.path, dayText(clock.now()), quickHash));
  // Before whoever talks to it, so that it is there until they have hung up.
  const equipment = options.beside?.equipment ?? owned.use(await startLabEquipment(folder.path, quickTiming));
  const bmcs = openBmcs({ ...parts, drivers: openBmcDrivers() });
  owned.defer(() => bmcs.close());
  const lines = serialLines({ ...parts, bmcs });
  owned.defer(() => lines.stop());
  const switches = openSwitches({ ...parts, drivers: switchDrivers });
  owned.defer(() => switches.close());
  const router = openRouter({ ...parts, drivers: routeDrivers });
  owned.defer(() => router.close());
  const nodes = openNodes({ ...parts, drivers: options.hypervisors ?? hypervisorDrivers });
  owned.defer(() => nodes.close());
  const names = nameService(parts);
  owned.defer(() => names.close());
  const stopping = new AbortController();
  const yard: Yard = {
    ...parts,
    bmcs,
    serialLines: lines,
    switches,
    router,
    nodes,
    screens: screenDoors(),
    authentication: authentication(parts),
    nameService: names,
    files: fileCache(join(folder.path, 'files')),
    backups: backupFolder({ dataFolder: folder.path, database: options.database, sealingKey: undefined }, 2),
    media: { url: undefined },
    dialling: dialling({ allowed: () => webhookNetworks(store.queries) }),
    jobs,
    stopping: stopping.signal,
    stop: () => stopping.abort(),
  };
  const site = options.beside?.site ?? { ...labSite(lab, equipment), ...options.site };
  if (options.beside === undefined) await applySite(yard, site);
  const dns = options.beside?.dns ?? (await names.open(site.nameserver));
  if (options.worksOffJobs === true) {
    await jobs.start(workers(yard));
    if (options.site?.nodes === undefined) await machinesMade(yard, 120_000);
  } else await adoptMachines(store, equipment.node.name);
  const media = await startMediaDoor(yard, site.media, 'fails');
  if (media !== undefined) owned.use(media);
  const http = await makeServer(yard, { trustedProxies: options.trustedProxies ?? [] });
  await http.listen({ host: '127.0.0.1', port: 0 });
  owned.defer(() => {
    http.server.closeAllConnections();
    return http.close();
  });
  owned.defer(() => stopping.abort());
  const kept = owned.move();
  return {
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    lab,
    http,
    parts: yard,
    site,
    equipment,
    dns: dns ?? { address: '', port: 0 },
    pass: (milliseconds) => void (ahead += milliseconds),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export interface EngineUnderTest {
  readonly engine: 'sqlite' | 'postgres';
  readonly suite: SuiteOptions;
  /** Starts what the engine needs. */
  start(): Promise<RunningEngine>;
}

/** Gives databases; none for SQLite, which is a file in a data folder. */
export interface RunningEngine extends AsyncDisposable {
  /** Its tables are made. */
  newDatabase(): Promise<{ database?: string }>;
  /** With nothing in it. */
  emptyDatabase(): Promise<{ database?: string }>;
}

/** Both engines, for a story that is told on each. */
export const engines: readonly EngineUnderTest[] = [
  {
    engine: 'sqlite',
    suite: {},
    start: async () => ({
      newDatabase: async () => ({}),
      emptyDatabase: async () => ({}),
      [Symbol.asyncDispose]: async () => {},
    }),
  },
  {
    engine: 'postgres',
    suite: needs('initdb', 'postgres'),
    start: async () => {
      // It outlives whatever these stories do to Hostyard; only a machine that loses its power would need it flushed.
      const postgres = await startPostgres({ fsync: 'off', full_page_writes: 'off' });
      return {
        newDatabase: async () => ({ database: await postgres.createStoreDatabase() }),
        emptyDatabase: async () => ({ database: await postgres.createDatabase() }),
        [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
      };
    },
  },
];
