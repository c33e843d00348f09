// The router that announces null-routes, out of the database as switches and controllers are: opened by its driver, kept
// open, guarded by a breaker. Whoever changes what it should announce pokes, so that the reconciler need not wait for its beat.
import type { RouteAnnouncer, RouteDriver } from '#drivers/routes/driver.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { SecretBox } from '#kernel/secrets.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { routerFind } from '#store/network/routers.ts';
import type { Store } from '#store/store.ts';
import { connections } from './connections.ts';

export interface Router {
  /** A Fault `capability_missing` where the site has none. */
  use<T>(work: (announcer: RouteAnnouncer) => Promise<T>): Promise<T>;
  isThere(): Promise<boolean>;
  /** What should be announced has changed, and that is committed. */
  poke(): void;
  /** How often it was poked, so that a run can tell whether it has to look once more. */
  readonly pokes: number;
  /** How often it came back after it was away. */
  readonly returns: number;
  onPoke(listener: () => void): void;
  close(): Promise<void>;
}

export interface RouterParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: SecretBox;
  readonly drivers: Readonly<Record<string, Pick<RouteDriver<never>, 'open'>>>;
}

/** There is one; its name is what the database and the device lock call it. */
export const routerName = 'router';
/** The reconciler that makes it match. */
export const routesReconciler = 'routes';

export function openRouter(parts: RouterParts): Router {
  const { store, secrets, log } = parts;
  const listeners = new Set<() => void>();
  let pokes = 0;
  let returns = 0;
  const poke = (): void => {
    pokes++;
    for (const listener of listeners) listener();
  };

  const kept = connections<RouteAnnouncer>(parts.clock, 'router_unreachable', async (name) => {
    const row = await routerFind(store.queries, name);
    if (row === undefined) throw new Fault('capability_missing', { message: 'There are no null-routes here.' });
    const driver = parts.drivers[row.driver];
    if (driver === undefined) throw new Error(`the router has an unknown driver ${row.driver}`);
    return {
      revision: row.revision,
      async open() {
        const settings = JSON.parse(secrets.open(row.settings, routerName)) as never;
        const announcer = await driver.open(settings, new AbortController().signal);
        announcer.onReturn?.(() => void returned());
        return announcer;
      },
    };
  });

  /** It may have forgotten everything, and its silence is over. */
  async function returned(): Promise<void> {
    returns++;
    kept.expectSilence(routerName, 0);
    try {
      await reconcilerSignal(store.queries, routesReconciler);
      poke();
    } catch (error) {
      log.warn({ err: error }, 'the return of the router could not be noted; the next beat finds it');
    }
  }

  return {
    use: (work) => kept.use(routerName, work),
    isThere: async () => (await routerFind(store.queries, routerName)) !== undefined,
    poke,
    get pokes() {
      return pokes;
    },
    get returns() {
      return returns;
    },
    onPoke: (listener) => void listeners.add(listener),
    close: () => kept.close(),
  };
}
