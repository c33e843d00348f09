// Updates ongoing attacks, as long as there are any.
import type { Reconciler } from './reconciler.ts';

/** Twice per traffic log interval, so that none is missed. */
const everySeconds = 30;

/** `updateAttacks` returns how many attacks are ongoing. */
export function attackWatcher(updateAttacks: (signal: AbortSignal) => Promise<number>): Reconciler {
  return {
    name: 'attack-watch',
    everySeconds,
    deadlineSeconds: 120,
    run: async (signal) => ({ backlog: await updateAttacks(signal) }),
  };
}
