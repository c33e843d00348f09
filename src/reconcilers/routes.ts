// Makes the router announce exactly the null-routes in the database: periodically, after a restart on either side, and on
// request. The router is read before the database, so that a route that is just being added is never taken for a stray one;
// the router's lock keeps requests out until then. Reading all routes is slow, so runs in between send only the changes.
import type { RouteAnnouncer } from '#drivers/routes/driver.ts';
import { runDeviceCommand, type CommandParts } from '#equipment/device-command.ts';
import { routerName, routesReconciler, type Router } from '#equipment/router.ts';
import { readSortable } from '#lib/address-ranges.ts';
import {
  nullroutesMarkAnnounced,
  nullroutesLive,
  nullroutesOutOfSync,
  nullroutesMarkWithdrawn,
  type Nullroute,
} from '#store/network/nullroutes.ts';
import type { Reconciler, ReconcilerParts } from './reconciler.ts';

export interface RoutesParts extends ReconcilerParts, CommandParts {
  readonly router: Router;
  /** Ends expired null-routes. */
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
  const lock = { device: routerName, holder: `routes ${instanceId}`, purpose: 'a null-route sync' };
  const sync = async (announcer: RouteAnnouncer, limit: AbortSignal): Promise<void> => {
    const onRouter = scope === 'all' ? await announcer.list(limit) : undefined;
    const live = await (scope === 'all' ? nullroutesLive : nullroutesOutOfSync)(store.queries);
    await sendRoutes(announcer, live, onRouter, limit);
    const now = clock.now();
    await nullroutesMarkAnnounced(store.queries, idsOf(live.filter(isUnannounced)), now);
    await nullroutesMarkWithdrawn(store.queries, idsOf(live.filter((nullroute) => !isWanted(nullroute))), now);
  };
  const limits = { signal, timeoutMs: syncTimeoutMs };
  await runDeviceCommand(parts, lock, (limit) => router.use((announcer) => sync(announcer, limit)), limits);
}

/** `onRouter` is what the router announces; undefined assumes that it announces what it was sent. */
async function sendRoutes(
  announcer: RouteAnnouncer,
  live: readonly Nullroute[],
  onRouter: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const wanted = addressesOf(live.filter(isWanted));
  const announced = new Set(onRouter ?? addressesOf(live.filter(({ announced_at }) => announced_at !== null)));
  const removable = onRouter ?? addressesOf(live.filter((nullroute) => !isWanted(nullroute)));
  await announcer.announce(
    [...wanted].filter((address) => !announced.has(address)),
    signal,
  );
  await announcer.withdraw(
    [...removable].filter((address) => !wanted.has(address)),
    signal,
  );
}

function isWanted({ removed_at }: Nullroute): boolean {
  return removed_at === null;
}

function isUnannounced({ removed_at, announced_at }: Nullroute): boolean {
  return removed_at === null && announced_at === null;
}

function addressesOf(nullroutes: readonly Nullroute[]): Set<string> {
  return new Set(nullroutes.map(({ address }) => readSortable(address)));
}

function idsOf(nullroutes: readonly Nullroute[]): number[] {
  return nullroutes.map(({ id }) => id);
}
