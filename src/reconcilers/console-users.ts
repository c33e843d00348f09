// Ends console sessions whose time is over: their users are removed from the controllers, however often it takes.
import { need } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { bmcUserPostpone, bmcUserRemove, bmcUsersExpired } from '#store/bmc-users.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

const removeMs = 8000;
const againMs = 60_000;

export function consoleUsers(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly bmcs: Bmcs;
  readonly node: string;
}): Reconciler {
  const { store, clock, bmcs, node } = parts;
  return {
    name: 'console-users',
    everySeconds: 15,
    deadlineSeconds: 300,
    async run(signal) {
      const expired = await bmcUsersExpired(store.queries, clock.now());
      for (const { server, name } of expired) {
        if (signal.aborted) break;
        const limit = AbortSignal.any([signal, AbortSignal.timeout(removeMs)]);
        const remove = (): Promise<void> => bmcs.use(server, (bmc) => need(bmc, 'users').remove(name, limit));
        try {
          await withDeviceLock(
            parts,
            { device: server, holder: `console-users ${node}`, purpose: 'ending a console' },
            remove,
          );
          await bmcUserRemove(store.queries, server, name);
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          await bmcUserPostpone(store.queries, server, name, clock.now() + againMs);
        }
      }
      return { backlog: expired.length };
    },
  };
}
