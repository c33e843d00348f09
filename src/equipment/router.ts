// The session with the router that announces our routes. Code that changes what the router should announce requests a sync
// after its commit, so that the reconciler need not wait for its next run.
import type { RouteAnnouncer, RouteDriver } from '#drivers/routes/driver.ts';
import { ApiError } from '#lib/api-error.ts';
import type { Log } from '#lib/log.ts';
import { reconcilerSignal } from '#store/work/reconcilers.ts';
import { routerFind } from '#store/network/routers.ts';
import { connections, type ConnectionParts } from './connections.ts';
import { driverSettings } from '#store/driver-settings.ts';

export interface Router {
  /** Throws `capability_missing` if the site has no router. */
  use<T>(work: (announcer: RouteAnnouncer) => Promise<T>): Promise<T>;
  isConfigured(): Promise<boolean>;
  requestSync(): void;
  /** Counts requests, so that a run notices those that arrive during it. */
  readonly syncRequests: number;
  /** Counts reconnections, after which the router may have lost its routes. */
  readonly reconnects: number;
  onSyncRequest(listener: () => void): void;
  close(): Promise<void>;
}

export interface RouterParts extends ConnectionParts<Readonly<Record<string, Pick<RouteDriver<never>, 'open'>>>> {
  readonly log: Log;
}

/** There is one router; the database and its lock know it by this name. */
export const routerName = 'router';
export const routesReconciler = 'routes';

export function openRouter({ store, clock, log, secrets, drivers }: RouterParts): Router {
  const listeners = new Set<() => void>();
  let syncRequests = 0;
  let reconnects = 0;
  const requestSync = (): void => {
    syncRequests++;
    for (const listener of listeners) listener();
  };

  const sessions = connections<RouteAnnouncer>(clock, 'router_unreachable', async (name) => {
    const row = await routerFind(store.queries, name);
    if (row === undefined)
      throw new ApiError('capability_missing', { message: 'The provider does not offer null routes.' });
    const driver = drivers[row.driver];
    if (driver === undefined) throw new Error(`the router has an unknown driver ${row.driver}`);
    return {
      revision: row.revision,
      async open() {
        const settings = driverSettings.decode(secrets.open(row.settings, routerName)) as never;
        const announcer = await driver.open(settings);
        announcer.onReconnect?.(() => void handleReconnect());
        return announcer;
      },
    };
  });

  async function handleReconnect(): Promise<void> {
    reconnects++;
    sessions.expectSilence(routerName, 0);
    try {
      await reconcilerSignal(store.queries, routesReconciler);
      requestSync();
    } catch (error) {
      log.warn({ err: error }, 'could not signal that the router reconnected; the next periodic run will notice it');
    }
  }

  return {
    use: (work) => sessions.use(routerName, work),
    isConfigured: async () => (await routerFind(store.queries, routerName)) !== undefined,
    requestSync,
    get syncRequests() {
      return syncRequests;
    },
    get reconnects() {
      return reconnects;
    },
    onSyncRequest: (listener) => void listeners.add(listener),
    close: () => sessions.close(),
  };
}
