// Notifies the customers whom maintenance affects, some accounts at a time: each slice commits their events and messages
// together with the job for the next slice, so that each customer is notified exactly once.
import type { EventType } from '#contract/events/events.ts';
import { appendEvents, type AnyEventInput } from '#events/append.ts';
import { jobWorker, type JobKind, type JobWorker } from '#queue/queue.ts';
import type { AccountId } from '#store/account-id.ts';
import { rackMountsOf } from '#store/devices/racks.ts';
import * as store from '#store/operator/maintenances.ts';
import type { Queries } from '#store/store.ts';
import type { App } from '../app.ts';

/** Accounts per slice: a transaction of some ten milliseconds. */
const sliceAccounts = 25;
/** Host names in an event. */
const maxServers = 20;

export interface MaintenanceWork {
  readonly maintenance: number;
  /** The notification of an earlier revision stops: the later one reaches everybody. */
  readonly revision: number;
  /** The last account that was notified. */
  readonly after: number;
}

export const maintenanceJob: JobKind<MaintenanceWork> = {
  name: 'maintenance',
  deadlineSeconds: 120,
  retries: 100,
  firstRetrySeconds: 2,
  maxRetrySeconds: 300,
  concurrency: 1,
  key: ({ maintenance }) => String(maintenance),
};

export function maintenanceWorker(app: Pick<App, 'store' | 'queue' | 'clock'>): JobWorker {
  return jobWorker(maintenanceJob, async (job) => {
    const { maintenance: id, revision, after } = job.payload;
    await job.complete(async (queries) => {
      const maintenance = await store.maintenanceFind(queries, id);
      if (maintenance?.revision !== revision) return;
      const isPlanned = maintenance.status === 'Announced';
      const accounts = isPlanned
        ? await store.accountsWithServices(queries, after, sliceAccounts)
        : await store.accountsAffected(queries, id, after, sliceAccounts);
      if (accounts.length === 0) return;
      await appendEvents(app, queries, await notify(queries, maintenance, accounts));
      await app.queue.enqueue(queries, maintenanceJob, { ...job.payload, after: accounts.at(-1)! });
    });
  });
}

type Service = Pick<store.PlacedService, 'id' | 'account_id' | 'hostname'>;
type MaintenanceEvent = Extract<EventType, `maintenance.${string}`>;

/** Returns the events of these accounts, and records the services that each of them now knows to be affected. */
async function notify(
  queries: Queries,
  maintenance: store.Maintenance,
  accounts: readonly AccountId[],
): Promise<AnyEventInput[]> {
  const before = Map.groupBy(await store.notifiedServices(queries, maintenance.id, accounts), ofAccount);
  if (maintenance.status !== 'Announced') {
    const type = maintenance.status === 'Cancelled' ? 'maintenance.cancelled' : 'maintenance.completed';
    return [...before].map(([account, services]) => toEvent(maintenance, type, account, services));
  }
  const affected = Map.groupBy(await affectedServices(queries, maintenance, accounts), ofAccount);
  const events: AnyEventInput[] = [];
  for (const account of accounts) {
    const [known = [], now = []] = [before.get(account), affected.get(account)];
    if (known.length === 0 && now.length === 0) continue;
    const services = now.map(({ id }) => id);
    await store.notifiedServicesReplace(queries, maintenance.id, account, services);
    // Customers who are no longer affected would otherwise wait for it.
    if (now.length === 0) events.push(toEvent(maintenance, 'maintenance.cancelled', account, known));
    else
      events.push(
        toEvent(maintenance, known.length === 0 ? 'maintenance.announced' : 'maintenance.updated', account, now),
      );
  }
  return events;
}

function ofAccount({ account_id }: Service): AccountId {
  return account_id;
}

async function affectedServices(
  queries: Queries,
  { targets: stored }: store.Maintenance,
  accounts: readonly AccountId[],
): Promise<Service[]> {
  const services = await store.placedServices(queries, accounts);
  const targets = store.maintenanceTargets.decode(stored);
  if (targets.all) return services;
  const mounts = await rackMountsOf(queries, targets.racks);
  const withMounted = (kind: 'server' | 'switch' | 'node', names: readonly string[]): string[] => [
    ...names,
    ...mounts.filter((mount) => mount.kind === kind).map(({ name }) => name),
  ];
  const behind = await store.behindSwitches(queries, withMounted('switch', targets.switches));
  const servers = new Set([...withMounted('server', targets.servers), ...behind.servers]);
  const nodes = new Set(withMounted('node', targets.nodes));
  return services.filter(
    ({ id, server, node, member }) =>
      (server !== null && servers.has(server)) ||
      behind.services.has(id) ||
      [node, member].some((name) => name !== null && nodes.has(name)),
  );
}

function toEvent(
  { id, title, text, start_at, end_at }: store.Maintenance,
  type: MaintenanceEvent,
  account: AccountId,
  services: readonly Service[],
): AnyEventInput {
  const data = {
    maintenanceid: String(id),
    title,
    text,
    start: isoText(start_at),
    end: isoText(end_at),
    count: String(services.length),
    servers: services.slice(0, maxServers).map(({ hostname }) => hostname),
  };
  const [only, ...others] = services;
  // So that people who are limited to this service also get it.
  return others.length > 0 || only === undefined ? { account, type, data } : { account, type, data, service: only.id };
}

function isoText(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
