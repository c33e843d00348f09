// Makes the router announce exactly our routes: null routes, and those that lead assigned blocks to their devices. Runs
// periodically, after a restart on either side, and on request. The router is read before the database, so that a route that
// is just being added is never taken for a stray one; the router's lock keeps requests out until then. Reading all routes is
// slow, so runs in between send only the changes. A null route takes precedence over another route of the same prefix.
import { hostPrefix, type Route, type RouteAnnouncer } from '#drivers/routes/driver.ts';
import { runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { routerName, routesReconciler, type Router } from '#equipment/router.ts';
import { readSortable, sortableAddress } from '#lib/address-ranges.ts';
import { parseAddress } from '#lib/addresses.ts';
import {
  nullroutesMarkAnnounced,
  nullroutesLive,
  nullroutesOpen,
  nullroutesOutOfSync,
  nullroutesMarkWithdrawn,
  type Nullroute,
} from '#store/network/nullroutes.ts';
import { routedBlocks, routesRecord, routesSent, type NextHops } from '#store/network/routes.ts';
import { batches } from '#store/engine/rows.ts';
import type { Queries } from '#store/store.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

export interface RoutesParts extends ReconcilerParts, CommandParts {
  readonly router: Router;
  /** Ends expired null routes. */
  readonly expire: () => Promise<void>;
}

const everySeconds = 5;
const syncTimeoutMs = 20_000;

export function routes(parts: RoutesParts): Reconciler {
  const { router } = parts;
  /** The last full sync, by the monotonic clock, and the reconnects counted by then. */
  let fullSync: { readonly atMs: number; readonly reconnects: number } | undefined;

  async function sync(signal: AbortSignal): Promise<void> {
    const atMs = performance.now();
    const { reconnects } = router;
    const isFresh =
      fullSync !== undefined && fullSync.reconnects === reconnects && atMs - fullSync.atMs < everySeconds * 900;
    const previous = fullSync;
    // If this fails, the next run is a full sync.
    fullSync = undefined;
    await syncRouter(parts, isFresh ? 'changes' : 'all', signal);
    fullSync = isFresh ? previous : { atMs, reconnects };
  }

  return {
    name: routesReconciler,
    everySeconds,
    deadlineSeconds: 120,
    async run(signal) {
      await parts.expire();
      if (!(await router.isConfigured())) return { backlog: 0 };
      for (let handled = -1; handled !== router.syncRequests && !signal.aborted;) {
        handled = router.syncRequests;
        await sync(signal);
      }
      return { backlog: 0 };
    },
  };
}

async function syncRouter(parts: RoutesParts, scope: 'all' | 'changes', signal: AbortSignal): Promise<void> {
  const { store, clock, router, instanceId } = parts;
  const { queries } = store;
  const lock = { device: routerName, holder: `routes ${instanceId}`, purpose: 'a sync of routes' };
  const sync = async (announcer: RouteAnnouncer, limit: AbortSignal): Promise<void> => {
    const listed = scope === 'all' ? await announcer.list(limit) : [];
    const live = await (scope === 'all' ? nullroutesLive : nullroutesOutOfSync)(queries);
    const assigned = await routedBlocks(queries, 'outside a transaction');
    const changes = changesBetween(await routesSent(queries), assigned);
    const changedPrefixes = [...changes.announced.keys(), ...changes.removed];
    const nullrouted = [...prefixesOf(live.filter(isWanted)), ...(await nullroutedPrefixes(queries, changedPrefixes))];
    const wanted = new Map<string, Route>();
    for (const [prefix, nextHop] of assigned) wanted.set(prefix, { prefix, nextHop });
    for (const prefix of nullrouted) wanted.set(prefix, { prefix, nextHop: undefined });
    const onRouter = new Map(listed.map((route) => [route.prefix, route]));
    const prefixes =
      scope === 'all' ? [...onRouter.keys(), ...wanted.keys()] : [...prefixesOf(live), ...changedPrefixes];
    await sendRoutes(announcer, prefixes, { wanted, onRouter }, limit);
    const now = clock.now();
    await nullroutesMarkAnnounced(queries, idsOf(live.filter(isUnannounced)), now);
    await nullroutesMarkWithdrawn(queries, idsOf(live.filter((nullroute) => !isWanted(nullroute))), now);
    await routesRecord(queries, changes.announced, changes.removed, now);
  };
  const limits = { signal, timeoutMs: syncTimeoutMs };
  await runDeviceCommand(parts, lock, (limit) => router.use((announcer) => sync(announcer, limit)), limits);
}

/** Announces and withdraws what differs among these prefixes. `onRouter` is empty if it is not known what the router announces. */
async function sendRoutes(
  announcer: RouteAnnouncer,
  prefixes: Iterable<string>,
  { wanted, onRouter }: { readonly wanted: ReadonlyMap<string, Route>; readonly onRouter: ReadonlyMap<string, Route> },
  signal: AbortSignal,
): Promise<void> {
  const announced: Route[] = [];
  const withdrawn: string[] = [];
  for (const prefix of new Set(prefixes)) {
    const route = wanted.get(prefix);
    const existing = onRouter.get(prefix);
    if (route === undefined) withdrawn.push(prefix);
    else if (existing === undefined || existing.nextHop !== route.nextHop) announced.push(route);
  }
  try {
    await announcer.announce(announced, signal);
  } finally {
    // Also if the router rejects a route: what has ended must not stay.
    await announcer.withdraw(withdrawn, signal);
  }
}

interface Changes {
  readonly announced: NextHops;
  readonly removed: readonly string[];
}

function changesBetween(sent: NextHops, wanted: NextHops): Changes {
  return {
    announced: new Map([...wanted].filter(([prefix, nextHop]) => sent.get(prefix) !== nextHop)),
    removed: [...sent.keys()].filter((prefix) => !wanted.has(prefix)),
  };
}

/** Returns which of these prefixes are null-routed. */
async function nullroutedPrefixes(queries: Queries, prefixes: readonly string[]): Promise<string[]> {
  const hosts = prefixes.filter((prefix) => /(?:\.[0-9]+\/32|\/128)$/.test(prefix));
  const addresses = hosts.map((prefix) => sortableAddress(parseAddress(prefix.slice(0, prefix.indexOf('/')))!));
  const open: Nullroute[] = [];
  for (const batch of batches(addresses)) open.push(...(await nullroutesOpen(queries, batch)));
  return prefixesOf(open);
}

function isWanted({ removed_at }: Nullroute): boolean {
  return removed_at === null;
}

function isUnannounced({ removed_at, announced_at }: Nullroute): boolean {
  return removed_at === null && announced_at === null;
}

function prefixesOf(nullroutes: readonly Nullroute[]): string[] {
  return nullroutes.map(({ address }) => hostPrefix(readSortable(address)));
}

function idsOf(nullroutes: readonly Nullroute[]): number[] {
  return nullroutes.map(({ id }) => id);
}
