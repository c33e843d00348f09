// An app inside the test process: the lab's site on a temporary database, behind the real HTTP server on its own port.
// It starts much faster than a server process, its clock can be moved and its store inspected. Use `startServer` for
// what concerns the process itself (signals, files, logs).
//
//   await using app = await openTestApp();
//   const { status } = await request(app, 'GET', '/v2/account', { key: app.lab.customer.key });

import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Log } from '#lib/log.ts';
import { createApp } from '#server/create-app.ts';
import { startConsoleListeners, startMediaListener } from '#server/site-listeners.ts';
import { hashPassword } from '#app/account/passwords.ts';
import { applySite } from '#app/site/apply.ts';
import { waitForMachines } from '#app/site/machines.ts';
import { workers } from '#server/workers.ts';
import type { App } from '#app/app.ts';
import type { Site } from '#contract/site/site.ts';
import { createHttpServer } from '#http/server.ts';
import { runTransfer } from '#drivers/backup/transfer.ts';
import type { HypervisorDriver } from '#drivers/hypervisor/driver.ts';
import { readConfig } from '#lib/config.ts';
import { dayText } from '#lib/time.ts';
import { secretBox } from '#lib/secrets.ts';
import { readLabFile, type LabFile } from '#lab/lab-file.ts';
import { startLabEquipment, type LabEquipment } from '#lab/equipment.ts';
import { labSite } from '#lab/site.ts';
import { temporaryFolder } from './folder.ts';
import { adoptMachines } from './machines.ts';
import { needs, type SuiteOptions } from './needs.ts';
import { notDurable, startPostgres } from './postgres.ts';
import { openTestStore } from './store.ts';
import { withResources } from './resources.ts';

export interface TestApp extends AsyncDisposable {
  readonly url: string;
  readonly lab: LabFile;
  readonly http: FastifyInstance;
  readonly parts: App;
  /** The lab's site, to change and apply again. */
  readonly site: Site;
  /** The lab's simulators, to inspect and break. */
  readonly equipment: LabEquipment;
  /** Address of the built-in name server, which needs `answersDns`; port 0 if another one is configured. */
  readonly dns: { readonly address: string; readonly port: number };
  /** Moves the clock forward; real time keeps running underneath. */
  pass(milliseconds: number): void;
}

export interface TestAppOptions {
  /** A postgres:// URL; SQLite if omitted. */
  readonly database?: string;
  readonly trustedProxies?: readonly string[];
  /** Overrides parts of the lab's site. */
  readonly site?: Partial<Site>;
  /** Runs queued jobs; workflows and deliveries need it. */
  readonly worksOffJobs?: boolean;
  /** Starts the lab's name server, whose thread takes longer to start than everything else. One of `site` always starts. */
  readonly answersDns?: boolean;
  /** Replaces all hypervisor drivers. */
  readonly hypervisors?: Readonly<Record<string, HypervisorDriver>>;
  /** Nothing is logged by default. */
  readonly log?: Log;
  /** Makes this a second instance on the same database, with the same lab. */
  readonly firstInstance?: TestApp;
}

/** Speeds up the lab's servers. */
const quickTiming = { bootMs: 50, installMs: 200, buildMs: 50, cycleOffMs: 50, softOffMs: 50, absenceMs: 200 };

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  await using owned = new AsyncDisposableStack();
  const folder = owned.use(await temporaryFolder('app'));
  const { database, firstInstance, trustedProxies = [] } = options;
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs, move: (milliseconds: number) => void (aheadMs += milliseconds) };
  const config = { ...readConfig({ HOSTYARD_DATA: folder.path }), database, trustedProxies, backupsKept: 2 };
  const lab = firstInstance?.lab ?? (await readLabFile(folder.path, dayText(clock.now()), hashPassword));
  // Opened before the app, so that the app can close its connections first.
  const equipment = firstInstance?.equipment ?? owned.use(await startLabEquipment(folder.path, quickTiming));
  const app = owned.use(
    await createApp(config, {
      store: await openTestStore(config),
      clock,
      log: options.log ?? pino({ level: 'silent' }),
      secrets: firstInstance?.parts.secrets ?? secretBox(randomBytes(32)),
      // Processes take long to start; src/drivers/backup/process.test.ts has one.
      runTransfer,
      ...(options.hypervisors !== undefined && { hypervisorDrivers: options.hypervisors }),
    }),
  );
  const site = firstInstance?.site ?? { ...labSite(lab, equipment), ...options.site };
  if (firstInstance === undefined) await applySite(app, site);
  const answersDns = options.answersDns === true || options.site?.nameserver !== undefined;
  const ownDns = answersDns ? await app.nameService.open(site.nameserver) : undefined;
  if (options.worksOffJobs === true) {
    await app.queue.start(workers(app));
    if (options.site?.nodes === undefined) await waitForMachines(app, 120_000);
  } else await adoptMachines(app.store, equipment.hypervisor.name);
  const consoles = await startConsoleListeners(app, site.consoles, { ifPortTaken: 'useAnother', trustedProxies });
  if (consoles !== undefined) owned.use(consoles);
  const media = await startMediaListener(app, site.media, 'fail');
  if (media !== undefined) owned.use(media);
  const http = await createHttpServer(app, config);
  await http.listen({ host: '127.0.0.1', port: 0 });
  owned.defer(() => {
    http.server.closeAllConnections();
    return http.close();
  });
  owned.defer(() => app.stop());
  return withResources(owned, {
    url: `http://127.0.0.1:${(http.server.address() as AddressInfo).port}`,
    lab,
    http,
    parts: app,
    site,
    equipment,
    get dns() {
      if (!answersDns && firstInstance === undefined) throw new Error('open the app with answersDns');
      return ownDns ?? firstInstance?.dns ?? { address: '', port: 0 };
    },
    pass: clock.move,
  });
}

export interface EngineUnderTest {
  readonly engine: 'sqlite' | 'postgres';
  readonly suite: SuiteOptions;
  /** Starts the database server, if there is one. */
  start(): Promise<RunningEngine>;
}

/** Creates databases; for SQLite there is nothing to create, because it is a file in the data folder. */
export interface RunningEngine extends AsyncDisposable {
  /** With all tables. */
  newDatabase(): Promise<{ database?: string }>;
  /** Without tables. */
  emptyDatabase(): Promise<{ database?: string }>;
}

/** Both engines, for suites that run on each. */
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
    // Only suites on PostgreSQL wait for its installation.
    get suite() {
      return needs('initdb', 'postgres');
    },
    start: async () => {
      const postgres = await startPostgres(notDurable);
      return {
        newDatabase: async () => ({ database: await postgres.createStoreDatabase() }),
        emptyDatabase: async () => ({ database: await postgres.createDatabase() }),
        [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
      };
    },
  },
];
