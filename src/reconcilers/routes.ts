// Makes the router announce the null-routes that the database wants, and no other of ours: after any restart, on either side,
// and at once where somebody pokes. The router is read before the database, so that a route that is just being added is never
// taken for one too many; the lock of the router keeps requests out meanwhile. Reading all that a router has takes longer than
// telling it a change, so in between, changes alone are told.
import type { RouteAnnouncer } from '#drivers/routes/driver.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import { routerName, routesReconciler, type Router } from '#equipment/router.ts';
import { readSortable } from '#kernel/address-ranges.ts';
import type { Clock } from '#kernel/clock.ts';
import {
  nullroutesAnnounced,
  nullroutesLive,
  nullroutesUntold,
  nullroutesWithdrawn,
  type Nullroute,
} from '#store/network/nullroutes.ts';
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

const everySeconds = 5;
const matchMs = 20_000;

export function routes(parts: RoutesParts): Reconciler {
  const { router } = parts;
  /** When all of it was last read, by a clock that nobody sets, and how often the router had come back by then. */
  let whole: { readonly atMs: number; readonly returns: number } | undefined;

  async function match(signal: AbortSignal): Promise<void> {
    const atMs = performance.now();
    const { returns } = router;
    const isFresh = whole !== undefined && whole.returns === returns && atMs - whole.atMs < everySeconds * 900;
    const before = whole;
    // Whatever goes wrong now, the next look is at all of it.
    whole = undefined;
    await tell(parts, isFresh ? 'changes' : 'all', AbortSignal.any([signal, AbortSignal.timeout(matchMs)]));
    whole = isFresh ? before : { atMs, returns };
  }

  return {
    name: routesReconciler,
    everySeconds,
    deadlineSeconds: 120,
    async run(signal) {
      await parts.expire();
      if (!(await router.isThere())) return { backlog: 0 };
      for (let seen = -1; seen !== router.pokes && !signal.aborted;) {
        seen = router.pokes;
        await match(signal);
      }
      return { backlog: 0 };
    },
  };
}

async function tell(parts: RoutesParts, what: 'all' | 'changes', signal: AbortSignal): Promise<void> {
  const { store, clock, router, node } = parts;
  const lock = { device: routerName, holder: `routes ${node}`, purpose: 'matching the null-routes' };
  await withDeviceLock(parts, lock, () =>
    router.use(async (announcer) => {
      const present = what === 'all' ? await announcer.list(signal) : undefined;
      const live = await (what === 'all' ? nullroutesLive : nullroutesUntold)(store.queries);
      await announce(announcer, live, present, signal);
      const now = clock.now();
      await nullroutesAnnounced(store.queries, idsOf(live.filter(isUntold)), now);
      await nullroutesWithdrawn(store.queries, idsOf(live.filter((each) => !isWanted(each))), now);
    }),
  );
}

/** `present` is what the router has; undefined where it is taken to have what it was told. */
async function announce(
  announcer: RouteAnnouncer,
  live: readonly Nullroute[],
  present: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const wanted = addressesOf(live.filter(isWanted));
  const has = new Set(present ?? addressesOf(live.filter(({ announced_at }) => announced_at !== null)));
  const may = present ?? addressesOf(live.filter((each) => !isWanted(each)));
  await announcer.announce(
    [...wanted].filter((address) => !has.has(address)),
    signal,
  );
  await announcer.withdraw(
    [...may].filter((address) => !wanted.has(address)),
    signal,
  );
}

function isWanted({ removed_at }: Nullroute): boolean {
  return removed_at === null;
}

function isUntold({ removed_at, announced_at }: Nullroute): boolean {
  return removed_at === null && announced_at === null;
}

function addressesOf(nullroutes: readonly Nullroute[]): Set<string> {
  return new Set(nullroutes.map(({ address }) => readSortable(address)));
}

function idsOf(nullroutes: readonly Nullroute[]): number[] {
  return nullroutes.map(({ id }) => id);
}
