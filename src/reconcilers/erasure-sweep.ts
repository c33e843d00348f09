// Erases accounts whose waiting time has ended, and what tax law no longer requires.
import { findClockJump } from '#store/work/trusted-time.ts';
import type { Clock } from '#lib/clock.ts';
import type { Store } from '#store/store.ts';
import type { Reconciler } from './reconciler.ts';

/** Implemented in app. Returns how many accounts are left. */
export type EraseAccounts = (signal: AbortSignal) => Promise<number>;

export function erasureSweep(store: Store, clock: Clock, erase: EraseAccounts): Reconciler {
  return {
    name: 'erasure',
    everySeconds: 600,
    deadlineSeconds: 600,
    async run(signal) {
      // Nothing may be erased because the clock is wrong.
      if ((await findClockJump(store.queries, clock.now())) !== undefined) return { backlog: 0 };
      return { backlog: await erase(signal) };
    },
  };
}
