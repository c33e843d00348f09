// Makes the router announce the null-routes that the database wants, and no other of ours: after any restart, on either side,
// and at once where somebody pokes. The router is read before the database, so that a route that is just being added is never
// taken for one too many; the lock of the router keeps requests out meanwhile.
import { withDeviceLock } from '#equipment/locks.ts';
import { routerName, routesReconciler, type Router } from '#equipment/router.ts';
import { readSortable } from '#kernel/address-ranges.ts';
import type { Clock } from '#kernel/clock.ts';
import { nullroutesAnnounced, nullroutesLive, nullroutesWithdrawn, type Nullroute } from '#store/nullroutes.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

export interface RoutesParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly node: string;
  readonly router: Router;
  /** Ends what has had its time. */
  readonly expire: () => Promise<void>;
}

const matchMs = 20_000;

export function routes(parts: RoutesParts): Reconciler {
  const { router } = parts;
  return {
    name: routesReconciler,
    everySeconds: 5,
    deadlineSeconds: 120,
    async run(signal) {
      await parts.expire();
      if (!(await router.isThere())) return { backlog: 0 };
      for (let seen = -1; seen !== router.pokes && !signal.aborted;) {
        seen = router.pokes;
        await match(parts, AbortSignal.any([signal, AbortSignal.timeout(matchMs)]));
      }
      return { backlog: 0 };
    },
  };
}

async function match(parts: RoutesParts, signal: AbortSignal): Promise<void> {
  const { store, clock, router, node } = parts;
  const lock = { device: routerName, holder: `routes ${node}`, purpose: 'matching the null-routes' };
  await withDeviceLock(parts, lock, () =>
    router.use(async (announcer) => {
      const present = new Set(await announcer.list(signal));
      const live = await nullroutesLive(store.queries);
      const wanted = live.filter(({ removed_at }) => removed_at === null);
      const addresses = new Set(wanted.map(({ address }) => readSortable(address)));
      await announcer.announce(
        [...addresses].filter((address) => !present.has(address)),
        signal,
      );
      await announcer.withdraw(
        [...present].filter((address) => !addresses.has(address)),
        signal,
      );
      const now = clock.now();
      await nullroutesAnnounced(store.queries, idsOf(wanted.filter(({ announced_at }) => announced_at === null)), now);
      await nullroutesWithdrawn(store.queries, idsOf(live.filter(({ removed_at }) => removed_at !== null)), now);
    }),
  );
}

function idsOf(nullroutes: readonly Nullroute[]): number[] {
  return nullroutes.map(({ id }) => id);
}
