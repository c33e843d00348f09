// A day of a simulated provider, from noon to noon: two instances on a PostgreSQL cluster, two tenants at work, and faults of
// every kind. At the end everything is healed, and the invariants are checked once nothing is left to do.
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '#lab/bmc/malfunctions.ts';
import { dayOf } from '#lib/time.ts';
import { connectStore } from '#store/open.ts';
import type { Store } from '#store/store.ts';
import { reconcilerStates } from '#store/work/reconcilers.ts';
import { temporaryFolder } from '../folder.ts';
import { openMachineNetwork } from '../machine-network.ts';
import { noticeUrl } from '../payment-fixtures.ts';
import { startPatroni } from '../patroni.ts';
import { requestResult } from '../request.ts';
import { mountSmallDisk } from '../small-disk.ts';
import { until } from '../until.ts';
import { letTimePass, openCalendar } from './calendar.ts';
import { causeFaults, equipmentFaults, infrastructureFaults, type Fault } from './chaos.ts';
import { startCustomers } from './customers.ts';
import {
  addressProblems,
  dateProblems,
  ledgerProblems,
  lockProblems,
  logProblems,
  paymentProblems,
} from './invariants.ts';
import { machineHistories } from './history.ts';
import { openJournal, type Journal } from './journal.ts';
import { dnsPort, startDayNodes } from './nodes.ts';
import { dnsProblems, equipmentProblems, eventProblems, workProblems } from './promises.ts';
import { startDayProvider } from './provider.ts';

export interface DayReport {
  /** How often each fault happened. */
  readonly faults: ReadonlyMap<string, number>;
  /** Responses by kind. */
  readonly responses: Readonly<Record<string, number>>;
  readonly acknowledged: number;
  /** Violations of the invariants. */
  readonly problems: readonly string[];
  readonly invoices: number;
}

export interface DayOptions {
  readonly seconds: number;
  readonly seed: number;
  log(text: string): void;
}

const equipmentHost = 41;
/** A step takes the instances some seconds to notice; a short day therefore has fewer. */
const stepSeconds = 30;
const minSteps = 8;
/** Both instances have noticed a step by then. */
const noticeMs = 3000;
const databaseMb = 900;
/** Of a log, after a failure. */
const lastLines = 10;
/** Longer than a creation waits for a hypervisor that has lost its request. */
const settleMs = 660_000;

export async function liveThroughDay({ seconds, seed, log: write }: DayOptions): Promise<DayReport> {
  await using owned = new AsyncDisposableStack();
  const calendar = owned.use(await openCalendar());
  const log = (text: string): void => write(`${new Date(calendar.now()).toISOString().slice(0, 19)} ${text}`);
  const network = owned.use(await openMachineNetwork());
  await network.addAddress(equipmentHost);
  const address = `${network.prefix}${equipmentHost}`;
  const provider = owned.use(await startDayProvider(address, calendar.billingDay, () => calendar.now()));
  const cluster = owned.use(await startPatroni({ network, disk: () => mountSmallDisk(databaseMb) }));
  log('the database runs');
  const { database } = cluster;
  await calendar.enter(database);
  const { nodes, url } = owned.use(await startDayNodes({ network, database, site: provider.site, env: calendar.env }));
  await calendar.enterQueue();
  const folder = owned.use(await temporaryFolder('observer'));
  const store = await connectStore({ dataFolder: folder.path, database });
  owned.defer(() => store.close());
  log('both instances run');

  const random = seededRandom(seed);
  const journals = provider.tenants.map(openJournal);
  const lying = new Set<string>();
  /** Stripe reports payments as soon as they are made, and repeats what was not received. */
  const notices = new AbortController();
  const reporting = (async () => {
    while (!notices.signal.aborted) {
      await provider.stripe.deliver(noticeUrl({ url })).catch(() => undefined);
      await sleep(500);
    }
  })();
  owned.defer(async () => {
    notices.abort();
    await reporting;
  });
  const customers = owned.use(
    await startCustomers({
      url,
      journals,
      random,
      isLying: (service) => lying.has(service),
      completeCheckout: (page) => provider.stripe.completeCheckout(page, 'good'),
    }).catch(async (error: unknown) => {
      await logState();
      throw error;
    }),
  );
  log('the tenants are at work');

  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), seconds * 1000);
  owned.defer(() => clearTimeout(timer));
  const parts = { network, cluster, nodes, provider, calendar, lying, equipmentHost, log };
  const causes = (offset: number, list: Readonly<Record<string, Fault>>, restMs: number) =>
    causeFaults({ ...parts, random: seededRandom(seed + offset) }, list, restMs, over.signal);
  const work = [causes(1, infrastructureFaults, 4000), causes(2, equipmentFaults, 1000), passDay()] as const;
  for (const part of work) part.catch(() => over.abort());
  // Even if the day has failed, whatever runs must end before everything is taken down.
  const ends = await Promise.allSettled(work);
  if (ends.some(({ status }) => status === 'rejected')) await logState().catch((error: unknown) => log(String(error)));
  const [infrastructure, equipment] = await Promise.all(work);
  const faults = new Map([...infrastructure, ...equipment]);

  async function passDay(): Promise<void> {
    const steps = Math.max(minSteps, Math.floor(seconds / stepSeconds));
    for (let step = 1; step <= steps && !over.signal.aborted; step++) {
      await sleep((seconds * 1000) / steps - noticeMs, undefined, { signal: over.signal }).catch(() => undefined);
      await calendar.moveTo(step / steps);
      await sleep(noticeMs);
      // The database may be away.
      await letTimePass(store, calendar.now()).catch(() => undefined);
      customers.done();
    }
  }

  await calendar.moveTo(1);
  log('the day is over');
  await until(async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean));
  await cluster.untilRedundant();
  await customers.stop();
  const problems = await settle();
  const invoices = await store.queries.selectFrom('invoices').select('id').execute();
  logErrors();
  const logs = nodes.flatMap((node) =>
    node
      .logs()
      .split('\n')
      .map((line) => `${node.name}: ${line}`),
  );
  for (const line of await machineHistories(store.queries, problems, provider.hypervisors, logs)) log(line);
  return {
    faults,
    responses: customers.responses(),
    acknowledged: customers.done(),
    problems,
    invoices: invoices.length,
  };

  function logErrors(): void {
    for (const node of nodes) for (const line of worstLines(node.logs())) log(`${node.name}: ${line}`);
  }

  /** Logs what explains a day that failed. A reconciler that does not run is behind most problems. */
  async function logState(): Promise<void> {
    logErrors();
    // What equipment and payment providers did is below the level of an error.
    for (const { name, logs } of nodes) log(`${name}: ${logs().trimEnd().split('\n').slice(-lastLines).join('\n')}`);
    const now = calendar.now();
    const inSeconds = (time: number): string => (time === 0 ? 'none' : `${Math.round((time - now) / 1000)} s`);
    for (const { name, run_at, lease_until, last_error } of await reconcilerStates(store.queries))
      log(`${name}: next run ${inSeconds(run_at)}, lease ${inSeconds(lease_until)}, ${last_error ?? 'no error'}`);
  }

  /** Waits until the invariants hold, or returns what still violates them. */
  async function settle(): Promise<string[]> {
    const giveUpAt = performance.now() + settleMs;
    await provider.stripe.deliver(noticeUrl({ url }), 'all');
    for (;;) {
      await letTimePass(store, calendar.now());
      await sleep(5000);
      const found = await checkAll(store, journals);
      if (found.length === 0 || performance.now() > giveUpAt) return found;
      log(`${found.length} problems remain: ${found.slice(0, 3).join('; ')}`);
    }
  }

  async function checkAll({ queries }: Store, all: readonly Journal[]): Promise<string[]> {
    const found = [
      ...(await ledgerProblems(queries)),
      ...(await paymentProblems(queries, provider.stripe.objects)),
      ...(await addressProblems(queries)),
      ...(await lockProblems(queries, calendar.now())),
      ...(await logProblems(queries)),
      ...(await dateProblems(queries, dayOf(calendar.now()))),
      ...(await equipmentProblems(queries, all, provider)),
    ];
    for (const journal of all) {
      found.push(...(await workProblems(queries, journal)));
      for (const { address: server } of nodes)
        found.push(...(await dnsProblems(queries, journal, { address: server, port: dnsPort })));
      found.push(...(await eventProblems(queries, journal, await listAll(journal.tenant.key))));
    }
    return found;
  }

  async function listAll(key: string): Promise<{ id: string }[]> {
    const listed: { id: string }[] = [];
    for (let cursor = ''; ;) {
      const params = { limit: 1000, ...(cursor !== '' && { after: cursor }) };
      const page = await requestResult<{ events: { id: string }[]; cursor: string }>({ url }, 'GET', '/v2/event', {
        key,
        params,
      });
      if (page.events.length === 0) return listed;
      listed.push(...page.events);
      cursor = page.cursor;
    }
  }
}

/** Returns the errors that a process logged, which nothing of the day should cause, without repetitions. */
function worstLines(logs: string): string[] {
  const lines = logs.split('\n').filter((line) => line.startsWith('{"level":50') || line.startsWith('{"level":60'));
  return [...new Map(lines.map((line) => [/"msg":"([^"]*)"/.exec(line)?.[1] ?? line, line.slice(0, 1500)])).values()];
}
