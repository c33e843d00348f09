// Ends console sessions whose time is over: their users are removed from the controllers, however often it takes.
import { need } from '#drivers/bmc/driver.ts';
import type { Bmcs } from '#equipment/bmcs.ts';
import { withDeviceLock } from '#equipment/locks.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { bmcUserPostpone, bmcUserRemove, bmcUsersExpired, type BmcUserTable } from '#store/devices/bmc-users.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

const removeMs = 8000;
const againMs = 60_000;
/** So that one dead controller keeps no session elsewhere open. */
const atOnce = 20;

export function consoleUsers(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly bmcs: Bmcs;
  readonly log: Log;
  readonly node: string;
}): Reconciler {
  const { store, clock, bmcs, node } = parts;
  return {
    name: 'console-users',
    everySeconds: 15,
    deadlineSeconds: 300,
    async run(signal) {
      const expired = await bmcUsersExpired(store.queries, clock.now());
      const waiting = expired.values();
      const lane = async (): Promise<void> => {
        for (const user of waiting) {
          if (signal.aborted) return;
          await end(user, signal);
        }
      };
      await Promise.all(Array.from({ length: Math.min(atOnce, expired.length) }, lane));
      return { backlog: expired.length };
    },
  };

  async function end({ server, name }: BmcUserTable, signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(removeMs)]);
    const remove = (): Promise<void> => bmcs.use(server, (bmc) => need(bmc, 'users').remove(name, limit));
    try {
      const holder = `console-users ${node} ${name}`;
      await withDeviceLock(parts, { device: server, holder, purpose: 'ending a console' }, remove);
      await bmcUserRemove(store.queries, server, name);
    } catch (error) {
      // Whatever it is, it is this controller's and no other's.
      if (!(error instanceof Fault)) parts.log.error({ err: error, server }, 'a console could not be ended');
      await bmcUserPostpone(store.queries, server, name, clock.now() + againMs);
    }
  }
}
