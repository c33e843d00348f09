// Notifies customers who approach the committed rate of a service.
import { findClockJump } from '#store/work/trusted-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

export function bandwidthNotices(
  store: Store,
  clock: Clock,
  giveNotices: (signal: AbortSignal) => Promise<void>,
): Reconciler {
  return {
    name: 'bandwidth-notices',
    everySeconds: 3600,
    deadlineSeconds: 1800,
    async run(signal) {
      // The date decides which month a notice is for.
      if ((await findClockJump(store.queries, clock.now())) === undefined) await giveNotices(signal);
      return { backlog: 0 };
    },
  };
}
